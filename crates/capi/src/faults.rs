//! Conversions from the libraries' errors to faults.

use crate::status::{Fault, NtStatus};
use crowd::CrowdError;
use detour::{FilterError, MeshError, OpenError, QueryError, RefError, RouteError};
use hierarchy::FarError;
use navbake::BakeError;
use navlevel::ObstacleError;
use navtile::{FileError, TileError};
use tilecache::CacheError;

impl From<TileError> for Fault {
    fn from(error: TileError) -> Fault {
        Fault::data(error)
    }
}

impl From<FileError> for Fault {
    fn from(error: FileError) -> Fault {
        Fault::data(error)
    }
}

impl From<FilterError> for Fault {
    fn from(error: FilterError) -> Fault {
        Fault::argument(error)
    }
}

impl From<RefError> for Fault {
    fn from(error: RefError) -> Fault {
        Fault::new(NtStatus::NT_ERROR_REFERENCE, error)
    }
}

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Fault {
        let status = match error {
            MeshError::Reference(_) => NtStatus::NT_ERROR_REFERENCE,
            MeshError::Limit(_) => NtStatus::NT_ERROR_LIMIT,
            MeshError::State { .. } => NtStatus::NT_ERROR_DATA,
            _ => NtStatus::NT_ERROR_ARGUMENT,
        };
        Fault::new(status, error)
    }
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Fault {
        match error {
            OpenError::Read(error) => Fault::new(NtStatus::NT_ERROR_FILE, error),
            OpenError::File(error) => Fault::from(error),
            OpenError::Mesh(error) => Fault::from(error),
        }
    }
}

impl From<QueryError> for Fault {
    fn from(error: QueryError) -> Fault {
        let status = match error {
            QueryError::Reference(_) => NtStatus::NT_ERROR_REFERENCE,
            QueryError::NothingNear { .. } | QueryError::NothingPasses => NtStatus::NT_NOT_FOUND,
            QueryError::OutOfNodes { .. } => NtStatus::NT_ERROR_LIMIT,
            _ => NtStatus::NT_ERROR_ARGUMENT,
        };
        Fault::new(status, error)
    }
}

impl From<FarError> for Fault {
    fn from(error: FarError) -> Fault {
        match error {
            FarError::Reference(error) => Fault::from(error),
            FarError::Query(error) => Fault::from(error),
            error => Fault::argument(error),
        }
    }
}

impl From<RouteError> for Fault {
    fn from(error: RouteError) -> Fault {
        let text = error.to_string();
        let (RouteError::Start(of) | RouteError::Goal(of) | RouteError::Path(of)) = error;
        Fault { text, ..Fault::from(of) }
    }
}

impl From<CrowdError> for Fault {
    fn from(error: CrowdError) -> Fault {
        Fault::argument(error)
    }
}

impl From<ObstacleError> for Fault {
    fn from(error: ObstacleError) -> Fault {
        Fault::argument(error)
    }
}

impl From<CacheError> for Fault {
    fn from(error: CacheError) -> Fault {
        use CacheError::{NoObstacle, NoSeed, Obstacle, Stationary, Threshold, TooManyObstacles, Waiting};
        let status = match error {
            Obstacle(_) | NoObstacle | NoSeed { .. } | Stationary(_) | Threshold(_) | Waiting(_) => {
                NtStatus::NT_ERROR_ARGUMENT
            }
            TooManyObstacles => NtStatus::NT_ERROR_LIMIT,
            _ => NtStatus::NT_ERROR_DATA,
        };
        Fault::new(status, error)
    }
}

impl From<BakeError> for Fault {
    fn from(error: BakeError) -> Fault {
        let mut text = error.message;
        for problem in error.problems {
            text = format!("{text}\n{}", problem.text);
        }
        if let Some(remedy) = error.remedy {
            text = format!("{text}\nhelp: {remedy}");
        }
        Fault::data(text)
    }
}
