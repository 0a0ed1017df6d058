//! Shard files and dynamic files with right checksums and wrong content are refused, or joined and updated
//! into valid files.

use crate::common::Folder;
use navbake::Warning;
use navbake::shard::{MOST_SHARES, ShardFile, ShardHead, WholeTile};
use navlevel::KeptGround;
use navtile::{FileWriter, NavStore};

/// Changes to the content of a shard file: of its head, of each tile, of the spans of each.
struct Change<'a> {
    head: &'a dyn Fn(&mut ShardHead),
    tile: &'a dyn Fn(&mut WholeTile),
    spans: &'a mut dyn FnMut(&mut Vec<u8>),
}

/// A shard file with other content, and checksums that fit it.
fn changed(shard: &[u8], change: Change<'_>) -> Vec<u8> {
    let read = ShardFile::read(shard.to_vec()).unwrap();
    let mut head = read.head.clone();
    (change.head)(&mut head);
    let mut file = ShardFile::create(Vec::new(), &head).unwrap();
    for stored in &read.tiles {
        let (agent, coord) = (stored.agent, stored.node.coord());
        if let Some((level_hash, mut spans)) = read.file.spans(agent, coord).unwrap() {
            (change.spans)(&mut spans);
            file.put_spans(agent, coord, level_hash, &spans).unwrap();
        }
        let (tile, ground) = (read.tile(stored).unwrap(), read.file.ground(agent, coord).unwrap());
        let ground = ground.map(KeptGround::Packed);
        let mut whole = WholeTile { tile, node: stored.node.clone(), facts: stored.facts.clone(), ground };
        (change.tile)(&mut whole);
        file.put(agent, &whole).unwrap();
    }
    file.finish(&read.run.unwrap()).unwrap();
    file.into_storage()
}

fn with_head(shard: &[u8], head: &dyn Fn(&mut ShardHead)) -> Vec<u8> {
    changed(shard, Change { head, tile: &|_| (), spans: &mut |_| () })
}

/// The courtyard in a shard file, and its bytes.
fn courtyard(how: &[&str]) -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    let scene = navscenes::courtyard::SCENE;
    folder.write("level.obj", navscenes::to_obj(&(scene.level)(), &(scene.settings)()));
    let call = ["bake", "level.obj", "--tile-size", "7.2", "--shard", "1/1", "-q", "-o", "1.navpart"];
    folder.run(&[&call[..], how].concat()).expect(0);
    let shard = folder.read("1.navpart");
    (folder, shard)
}

fn dice(seed: u64) -> impl FnMut() -> usize {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    }
}

#[test]
fn a_part_is_of_no_more_shares_than_a_bake_may_have() {
    let (folder, shard) = courtyard(&[]);
    let join = |share: [u32; 2], how: &[&str]| {
        folder.write("lie.navpart", with_head(&shard, &|head| head.share = share));
        folder.run(&[&["join", "lie.navpart"], how].concat())
    };
    for share in [[1, MOST_SHARES + 1], [1, u32::MAX], [u32::MAX, u32::MAX], [0, 1], [2, 1]] {
        for how in [&["-o", "out.navtile"][..], &["--report"], &["--report", "--json"]] {
            let run = join(share, how).expect(3);
            run.says(&["lie.navpart: is damaged", &format!("share {} of {}", share[0], share[1])]);
            assert!(run.stdout.is_empty());
        }
    }
    join([7, MOST_SHARES], &["-o", "out.navtile"])
        .expect(3)
        .says(&["65,535 shares of 65536 are missing: 1, 2, 3, 4, 5, 6, 8, 9", ", 65515 more"]);
    let report = join([7, MOST_SHARES], &["--report"]).expect(1).stdout;
    let rows: Vec<&str> = report.lines().filter(|line| line.contains("missing")).map(str::trim).collect();
    assert_eq!(rows, ["1 to 6 missing", "8 to 65536 missing"]);
    let report = join([2, 3], &["--report"]).expect(1).stdout;
    let rows: Vec<&str> = report.lines().filter(|line| line.contains("missing")).map(str::trim).collect();
    assert_eq!(rows, ["1 missing", "3 missing"]);
    let json = join([7, MOST_SHARES], &["--report", "--json"]).expect(1).json();
    assert_eq!(json["missing"].as_array().unwrap().len(), 65535);
}

#[test]
fn an_agent_has_a_name_that_settings_allow() {
    let (folder, shard) = courtyard(&[]);
    let join = |name: &str| {
        let named = with_head(&shard, &|head| head.agents[0].name = Some(name.to_owned()));
        folder.write("named.navpart", named).run(&["join", "named.navpart", "-o", "out.navtile"])
    };
    let long = "a".repeat(65);
    for name in ["../x", "/x", "a/b", "a\\b", "", ".", "a b", "a\nerror: forged", "\u{1b}[2J", long.as_str()]
    {
        join(name).expect(3).says(&["named.navpart: is damaged: an agent has the name"]);
    }
    assert_eq!(folder.names(), ["1.navpart", "level.obj", "named.navpart"]);
    join("big-cat_2").expect(0);
    assert!(folder.names().contains(&"out.big-cat_2.navtile".to_owned()));
}

#[test]
fn counts_of_tiles_are_those_that_tiles_can_have() {
    let (folder, shard) = courtyard(&[]);
    let lie = changed(
        &shard,
        Change { head: &|_| (), tile: &|whole| whole.facts.counts.polygons = usize::MAX, spans: &mut |_| () },
    );
    folder.write("lie.navpart", &lie);
    folder.run(&["join", "lie.navpart", "-o", "out.navtile"]).expect(3).says(&["lie.navpart: is damaged"]);
    // After an interrupted bake leaves it, it is baked again.
    folder.write("out.navtile.unfinished", &lie);
    folder.run(&["bake", "level.obj", "--tile-size", "7.2", "-o", "out.navtile", "--resume"]).expect(0);
}

#[test]
fn texts_of_parts_print_no_lines_of_their_own() {
    let (folder, shard) = courtyard(&[]);
    let forged = |kind: &str| Warning::plain(kind, "true\nerror: forged\r\u{1b}[2J\u{2028}x".to_owned());
    let hostile = changed(
        &shard,
        Change {
            head: &|head| head.agents[0].warnings.push(forged("a\nforged")),
            tile: &|whole| whole.facts.warnings.push(forged("b\nforged")),
            spans: &mut |_| (),
        },
    );
    folder.write("hostile.navpart", hostile);
    for how in [&["-o", "out.navtile"][..], &["-o", "out.navtile", "--report"], &["--report"]] {
        let run = folder.run(&[&["join", "hostile.navpart"], how].concat()).expect(0);
        for text in [&run.stdout, &run.stderr] {
            assert!(
                !text.lines().any(|line| line.starts_with("error") || line.starts_with("forged")),
                "{text}"
            );
            assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{2028}'), "{text:?}");
        }
        assert!(
            how == ["--report"] || run.stderr.contains(r"true\nerror: forged\r\u{1b}[2J"),
            "{}",
            run.stderr
        );
    }
}

/// Returns true if `navtile verify` finds no flaw in a file.
fn is_valid(folder: &Folder, file: &str) -> bool {
    let report = folder.run(&["verify", file, "--json"]).json();
    report["flaws"].as_array().unwrap().is_empty()
}

#[test]
fn cached_spans_of_shards_are_sound_or_refused() {
    let (folder, shard) = courtyard(&["--dynamic"]);
    let mut roll = dice(7);
    let mut refused = 0;
    for _ in 0..40 {
        let tiles = ShardFile::read(shard.clone()).unwrap().tiles.len();
        let (chosen, mut tile) = (roll() % tiles, 0);
        let mut spoil = |spans: &mut Vec<u8>| {
            if tile == chosen && !spans.is_empty() {
                let at = roll() % spans.len();
                match roll() % 3 {
                    0 => spans.truncate(at),
                    1 => spans.push(7),
                    _ => spans[at] ^= 1 << (roll() % 8),
                }
            }
            tile += 1;
        };
        folder.write(
            "spoilt.navpart",
            changed(&shard, Change { head: &|_| (), tile: &|_| (), spans: &mut spoil }),
        );
        let run = folder.run(&["join", "spoilt.navpart", "-q", "-o", "out.navtile"]);
        if run.status == 0 {
            assert!(is_valid(&folder, "out.navtile"));
            std::fs::remove_file(folder.path("out.navtile")).unwrap();
            continue;
        }
        refused += 1;
        run.expect(3).says(&["spoilt.navpart: is damaged: tile (", "nothing was written"]);
        assert!(!folder.path("out.navtile").exists());
    }
    assert!(refused > 10, "{refused}");
    // The settings behind them are those of the head.
    let settings = with_head(&shard, &|head| {
        head.agents[0].cache_settings.as_mut().unwrap()[0] ^= 0xff;
    });
    let run = folder.write("settings.navpart", settings).run(&[
        "join",
        "settings.navpart",
        "-q",
        "-o",
        "out.navtile",
    ]);
    assert!(run.status == 3 || is_valid(&folder, "out.navtile"), "{}", run.stderr);
    // A shard file left by another bake is not trusted either.
    folder.write("1.navpart", &shard).run(&["join", "1.navpart", "-q", "-o", "whole.navtile"]).expect(0);
    assert!(is_valid(&folder, "whole.navtile"));
}

/// A dynamic file whose cached spans are changed, with checksums that fit.
fn with_spans(file: &[u8], spoil: &mut dyn FnMut(&mut Vec<u8>)) -> Vec<u8> {
    let store = NavStore::open(file.to_vec()).unwrap();
    let index = store.span_cache().unwrap().unwrap();
    let writer =
        FileWriter::new(std::io::Cursor::new(Vec::new()), store.meta(), store.entries().len()).unwrap();
    let mut writer = writer.with_span_cache(index.size, index.height, index.settings.clone());
    for entry in store.entries() {
        writer.add_stored(entry, &store.stored(entry.coord()).unwrap().unwrap()).unwrap();
    }
    for entry in &index.entries {
        let mut spans = store.cached_spans(entry).unwrap().to_vec();
        spoil(&mut spans);
        writer.keep(entry.coord(), entry.level_hash, &spans).unwrap();
    }
    writer.finish(Some(&store.graph().unwrap().unwrap())).unwrap().into_inner()
}

#[test]
fn cached_spans_of_updated_files_are_sound_or_refused() {
    let (folder, _) = courtyard(&[]);
    folder
        .run(&["bake", "level.obj", "--tile-size", "7.2", "--dynamic", "-q", "-o", "whole.navtile"])
        .expect(0);
    // It reaches one tile.
    folder.write("p.toml", "[[obstacle]]\nkind = \"box\"\nat = [4, 0, 4]\nsize = [1, 1, 1]\nsolid = true\n");
    let whole = folder.read("whole.navtile");
    assert!(with_spans(&whole, &mut |_| ()) == whole);
    let count = NavStore::open(whole.clone()).unwrap().span_cache().unwrap().unwrap().entries.len();
    let mut roll = dice(9);
    let mut refused = 0;
    for round in 0..40 {
        let (chosen, mut tile) = (round % count, 0);
        let spoilt = with_spans(&whole, &mut |spans| {
            if tile == chosen && !spans.is_empty() {
                let at = roll() % spans.len();
                spans[at] ^= 1 << (roll() % 8);
            }
            tile += 1;
        });
        folder.write("spoilt.navtile", &spoilt);
        let run = folder.run(&["update", "spoilt.navtile", "--obstacles", "p.toml", "-q"]);
        if run.status == 0 {
            assert!(is_valid(&folder, "spoilt.navtile"));
            continue;
        }
        refused += 1;
        run.expect(3).says(&["spoilt.navtile", "nothing was changed"]);
        assert!(folder.read("spoilt.navtile") == spoilt, "nothing was changed");
    }
    assert!(refused > 10, "{refused}");
}
