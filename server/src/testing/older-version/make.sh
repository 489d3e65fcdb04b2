#!/usr/bin/env bash
# Makes older-version.tar.zst: the program as it was at a commit, for older-version.test.ts. After a release, give its commit.
#
#   server/src/testing/older-version/make.sh COMMIT
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
git archive "$1" package.json server plugin-kit plugins ':!*.test.ts' ':!server/src/testing' ':!*/console' |
  zstd -19 -q -f -o server/src/testing/older-version/older-version.tar.zst
