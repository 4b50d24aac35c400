#!/bin/sh
# Serves a real MediaWiki on a loopback port, filled with the articles of dump.mjs, until it is stopped:
#
#   tests/wiki/serve.sh [PORT]
#
# It needs Debian's packages mediawiki, php-cli, php-sqlite3, php-xml, php-mbstring and php-intl (some 250 MB), and
# installs them when run as root. The wiki itself is made anew in a folder of its own, in about half a minute.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=${1:-8089}
wiki=/usr/share/mediawiki
packages="mediawiki php-cli php-sqlite3 php-xml php-mbstring php-intl"

if [ ! -e $wiki/api.php ] || ! command -v php >/dev/null; then
  [ "$(id -u)" = 0 ] || { echo "error: install the packages $packages and run this again" >&2; exit 1; }
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
php $wiki/maintenance/install.php --confpath "$folder" --dbtype sqlite --dbpath "$folder/db" --dbname wiki \
  --server "http://127.0.0.1:$port" --scriptpath "" --lang en --pass "evident-$port-loopback" Evident Admin >"$folder/log" ||
  { cat "$folder/log" >&2; exit 1; }
cat >>"$folder/LocalSettings.php" <<'PHP'
$wgMainCacheType = CACHE_NONE;
$wgJobRunRate = 0;
$wgEnableUploads = false;
$wgRightsText = "CC BY-SA 4.0";
$wgCrossSiteAJAXdomains = [ "*" ];
PHP
export MW_CONFIG_FILE="$folder/LocalSettings.php"
node "$here/dump.mjs" >"$folder/dump.xml"
php $wiki/maintenance/importDump.php --quiet "$folder/dump.xml"
php $wiki/maintenance/rebuildtextindex.php >/dev/null
echo "http://127.0.0.1:$port/api.php"
php -S "127.0.0.1:$port" -t $wiki 2>"$folder/served.log"
