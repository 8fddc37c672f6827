//! What the scanner makes of small files: units, visibility, signatures, tests and marks.

use super::*;
