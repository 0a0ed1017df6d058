//! The package of the C interface: libraries, headers, the classes for C#, and files for pkg-config and
//! CMake.

use crate::Error;
use crate::outputs::{root, target};
use crate::platforms::cargo_for;
use std::fs;
use std::path::PathBuf;

/// The files of the classes for C#.
pub(crate) const CLASSES: [&str; 2] = ["Native.cs", "Navtile.cs"];

/// The files of the libraries, as a platform names them.
struct Libraries {
    shared: &'static str,
    fixed: &'static str,
    /// The library that programs link to, as rustc names it, if it is a file of its own.
    import: Option<&'static str>,
}

/// Builds the libraries for this platform, or for a target of rustc's, and assembles the package.
pub(crate) fn make(triple: Option<&str>) -> Result<PathBuf, Error> {
    let mut build = cargo_for(triple, "build");
    if !build.args(["--release", "--package", "navtile-c"]).status()?.success() {
        return Err("the libraries cannot be built".into());
    }
    let folder = triple.map_or_else(target, |triple| target().join(triple));
    let package = folder.join("capi");
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    for folder in ["lib/pkgconfig", "lib/cmake/navtile", "include", "csharp"] {
        fs::create_dir_all(package.join(folder))?;
    }
    let built = folder.join("release");
    let libraries = libraries(triple.unwrap_or(std::env::consts::OS));
    for name in [libraries.shared, libraries.fixed].into_iter().chain(libraries.import) {
        let copied = fs::copy(built.join(name), package.join("lib").join(name));
        copied.map_err(|error| format!("copying {name}: {error}"))?;
    }
    for name in ["navtile.h", "navtile.hpp"] {
        fs::copy(root().join("crates/capi/include").join(name), package.join("include").join(name))?;
    }
    for name in CLASSES {
        fs::copy(root().join("crates/capi/csharp").join(name), package.join("csharp").join(name))?;
    }
    fs::write(package.join("lib/pkgconfig/navtile.pc"), pkg_config())?;
    // A dll is loaded by its own name but linked through another file. On other platforms the library's file
    // name is its only name.
    let import = libraries.import.map_or_else(
        || "IMPORTED_NO_SONAME TRUE".to_owned(),
        |name| format!("IMPORTED_IMPLIB \"${{_navtile_root}}/lib/{name}\""),
    );
    let cmake = CMAKE.replace("SHARED_FILE", libraries.shared).replace("STATIC_FILE", libraries.fixed);
    let cmake = cmake.replace("IMPORT_FILE", &import);
    fs::write(package.join("lib/cmake/navtile/navtile-config.cmake"), cmake)?;
    let version = format!("set(PACKAGE_VERSION {})\n{CMAKE_VERSION}", env!("CARGO_PKG_VERSION"));
    fs::write(package.join("lib/cmake/navtile/navtile-config-version.cmake"), version)?;
    Ok(package)
}

/// The libraries for a target of rustc's, or for an operating system.
fn libraries(platform: &str) -> Libraries {
    let is_of = |name: &str| platform.contains(name);
    if is_of("windows-gnu") {
        let import = Some("libnavtile_c.dll.a");
        return Libraries { shared: "navtile_c.dll", fixed: "libnavtile_c.a", import };
    }
    if is_of("windows") {
        return Libraries {
            shared: "navtile_c.dll",
            fixed: "navtile_c.lib",
            import: Some("navtile_c.dll.lib"),
        };
    }
    let is_apple = is_of("apple") || is_of("macos");
    let shared = if is_apple { "libnavtile_c.dylib" } else { "libnavtile_c.so" };
    Libraries { shared, fixed: "libnavtile_c.a", import: None }
}

fn pkg_config() -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\n\n\
         Name: navtile\n\
         Description: Navigation meshes: load, ask, walk, bake\n\
         Version: {}\n\
         Cflags: -I${{prefix}}/include\n\
         Libs: -L${{prefix}}/lib -lnavtile_c\n\
         Libs.private: -lpthread -ldl -lm\n",
        env!("CARGO_PKG_VERSION")
    )
}

const CMAKE: &str = r#"# navtile::navtile is the shared library, navtile::navtile-static the static one.
get_filename_component(_navtile_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_package(Threads REQUIRED)
if(NOT TARGET navtile::navtile)
    add_library(navtile::navtile SHARED IMPORTED)
    set_target_properties(navtile::navtile PROPERTIES
        IMPORTED_LOCATION "${_navtile_root}/lib/SHARED_FILE"
        IMPORT_FILE
        INTERFACE_INCLUDE_DIRECTORIES "${_navtile_root}/include")
    add_library(navtile::navtile-static STATIC IMPORTED)
    set_target_properties(navtile::navtile-static PROPERTIES
        IMPORTED_LOCATION "${_navtile_root}/lib/STATIC_FILE"
        INTERFACE_INCLUDE_DIRECTORIES "${_navtile_root}/include"
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};$<$<PLATFORM_ID:Linux>:m>")
endif()
unset(_navtile_root)
"#;

/// Before 1.0 only the same minor version has the same interface.
const CMAKE_VERSION: &str = r#"string(REGEX MATCH "^[0-9]+\\.[0-9]+" _navtile_own "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _navtile_asked "${PACKAGE_FIND_VERSION}")
if(_navtile_own STREQUAL _navtile_asked AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
endif()
"#;
