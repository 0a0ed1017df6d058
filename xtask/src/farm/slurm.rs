//! A cluster of Slurm on this machine: a controller, two nodes, and the daemon that authenticates them to
//! each other. Their files are in the folder of the farm.

use super::world::Farm;
use crate::Error;
use crate::outputs::starts;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Daemons that are stopped when the cluster is dropped.
pub(super) struct Cluster {
    folder: PathBuf,
    configuration: PathBuf,
    controller: Vec<Child>,
    nodes: Vec<Child>,
}

/// A longer wait is an error.
const PATIENCE: Duration = Duration::from_secs(600);

impl Cluster {
    /// Starts the daemons; `None` if they are not installed.
    pub(super) fn start(farm: &Path) -> Result<Option<Cluster>, Error> {
        let there = ["slurmctld", "slurmd"].map(|name| {
            let mut tool = Command::new(name);
            tool.arg("-V");
            starts(tool)
        });
        let mut munge = Command::new("munged");
        munge.arg("--version");
        let is_root = fs::metadata("/proc/self").is_ok_and(|about| {
            use std::os::unix::fs::MetadataExt;
            about.uid() == 0
        });
        if there.contains(&false) || !starts(munge) || !is_root {
            return Ok(None);
        }
        let folder = farm.join("slurm");
        for name in ["state", "n1", "n2", "run"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let configuration = folder.join("slurm.conf");
        fs::write(&configuration, configured(&folder, &host()?))?;
        let mut cluster = Cluster { folder, configuration, controller: Vec::new(), nodes: Vec::new() };
        cluster.trust()?;
        cluster.controller.push(cluster.daemon("slurmctld", &["-D"])?);
        for node in ["n1", "n2"] {
            cluster.nodes.push(cluster.daemon("slurmd", &["-D", "-N", node])?);
        }
        cluster.wait_for("idle nodes", |cluster| {
            Ok(cluster.say("sinfo", &["-h", "-N", "-o", "%t"])? == "idle\nidle\n")
        })?;
        Ok(Some(cluster))
    }

    /// Starts the daemon that the others use to authenticate each other.
    fn trust(&mut self) -> Result<(), Error> {
        let key = self.folder.join("munge.key");
        let mut bytes = [0; 1024];
        fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        fs::write(&key, bytes)?;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400))?;
        let run = self.folder.join("run");
        let option = |name: &str, file: PathBuf| format!("--{name}={}", file.display());
        let mut munged = Command::new("munged");
        munged.args(["--force", "--foreground", &option("key-file", key)]);
        for (name, file) in [
            ("socket", "munge.socket"),
            ("pid-file", "munged.pid"),
            ("seed-file", "seed"),
            ("log-file", "munged.log"),
        ] {
            munged.arg(option(name, run.join(file)));
        }
        self.controller.push(munged.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
        self.wait_for("munge", |cluster| Ok(cluster.folder.join("run/munge.socket").exists()))
    }

    fn daemon(&self, name: &str, arguments: &[&str]) -> Result<Child, Error> {
        let log =
            fs::File::create(self.folder.join(format!("{name}{}.log", arguments.last().unwrap_or(&""))))?;
        let mut command = Command::new(name);
        command.args(arguments).env("SLURM_CONF", &self.configuration);
        Ok(command.stdout(Stdio::null()).stderr(log).spawn()?)
    }

    /// The standard output of one of Slurm's commands.
    fn say(&self, name: &str, arguments: &[&str]) -> Result<String, Error> {
        let output = Command::new(name).args(arguments).env("SLURM_CONF", &self.configuration).output()?;
        Ok(String::from_utf8(output.stdout)?)
    }

    fn wait_for(&self, what: &str, done: impl Fn(&Cluster) -> Result<bool, Error>) -> Result<(), Error> {
        let start = Instant::now();
        while !done(self)? {
            if start.elapsed() > PATIENCE {
                return Err(format!("slurm: {what}: nothing after {} s", PATIENCE.as_secs()).into());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Bakes the level of a farm with its script, kills a node and a task during the bake, and waits for the
    /// join. Returns a description of the events.
    pub(super) fn bake(mut self, farm: &Farm) -> Result<String, Error> {
        let mut script = farm.script("farm/slurm/bake.sh", "slurm.navtile", &["-s", "--mem=512"]);
        let output = script.env("SLURM_CONF", &self.configuration).output()?;
        if !output.status.success() {
            return Err(format!("slurm: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let join = String::from_utf8(output.stdout)?.trim().to_owned();
        let on_node = |id: &u32| {
            let variables = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|variable| variable == b"SLURMD_NODENAME=n2")
        };
        let bakes = || -> Vec<u32> { farm.bakers().into_iter().filter(on_node).collect() };
        self.wait_for("a bake on the second node", |_| Ok(!bakes().is_empty()))?;
        // The node stops: its daemon at once, and everything that it had started.
        if let Some(mut node) = self.nodes.pop() {
            node.kill()?;
            node.wait()?;
        }
        let bakes = bakes();
        for id in &bakes {
            // The parent process goes first, because it would report a failed task. A machine that stops
            // reports nothing.
            let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            let keeper =
                status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap_or("").trim().to_owned();
            for process in [keeper, id.to_string()] {
                Command::new("kill").args(["-KILL", &process]).status()?;
            }
        }
        // The node returns like a machine that restarts. Its lost tasks are queued again.
        self.say("scontrol", &["update", "NodeName=n2", "State=DOWN", "Reason=killed"])?;
        self.nodes.push(self.daemon("slurmd", &["-D", "-N", "n2"])?);
        self.say("scontrol", &["update", "NodeName=n2", "State=RESUME"])?;
        let is_over = |cluster: &Cluster| {
            // Slurm waits two minutes before it restarts a task that a node lost.
            for task in cluster.say("squeue", &["-h", "-t", "PD", "-o", "%i %r"])?.lines() {
                if let Some(task) = task.strip_suffix(" BeginTime") {
                    cluster.say("scontrol", &["update", &format!("JobId={task}"), "StartTime=now"])?;
                }
            }
            Ok(cluster.say("squeue", &["-h", "-o", "%i"])?.is_empty())
        };
        self.wait_for("the join", is_over)?;
        let mut again = 0;
        // A failed task fails the join too; then the script is called again.
        while !farm.folder.join("slurm.navtile").exists() && again < 3 {
            again += 1;
            let mut script = farm.script("farm/slurm/bake.sh", "slurm.navtile", &["-s", "--mem=512"]);
            script.env("SLURM_CONF", &self.configuration).output()?;
            self.wait_for("the join", is_over)?;
        }
        Ok(format!(
            "a node killed with {} bakes; the script called {} times; the join was job {join}",
            bakes.len(),
            again + 1
        ))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.nodes.iter_mut().chain(self.controller.iter_mut().rev()) {
            // The error is ignored: a daemon may have ended by itself.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn host() -> Result<String, Error> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname")?;
    Ok(name.trim().split('.').next().unwrap_or("localhost").to_owned())
}

/// The configuration: no limits on processes, no accounting, lost nodes noticed within seconds.
fn configured(folder: &Path, host: &str) -> String {
    let folder = folder.display();
    format!(
        "ClusterName=navtile
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=17002
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=300
JobRequeue=1
SchedulerParameters=sched_interval=2,batch_sched_delay=1
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.%n.pid
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port=17003 CPUs=1 RealMemory=2000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port=17004 CPUs=1 RealMemory=2000
PartitionName=bake Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"
    )
}
