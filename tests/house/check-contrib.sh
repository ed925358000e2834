#!/bin/sh
# SPDX-License-Identifier: MIT
# Recipes in contrib/ fit the tree. Spack's recipe passes only existing options to configure. The
# packages that the recipe and the Containerfile name for the build are those of ./check.

. "${0%/*}/../lib.sh"
need_temp
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
contrib=$top_srcdir/contrib

# Stand-ins for the words of Spack that the recipe uses. Any other word is a NameError.
cat >"$temp/recipe.py" <<'PY'
import itertools
import sys
import types

def record(*words, **more):
    said.append((words, more))

class AutotoolsPackage:
    def with_or_without(self, name, variant=None):
        variant = variant or name
        assert variant in {words[0] for words, _ in said}, variant + " is no variant"
        return [("--with-" if variant in self.chosen else "--without-") + name]

said = []
words = dict.fromkeys(("license", "version", "variant", "depends_on", "conflicts"), record)
package = types.ModuleType("spack.package")
package.__dict__.update(words, AutotoolsPackage=AutotoolsPackage, Executable=lambda name: lambda: None)
sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
recipe = {"__file__": sys.argv[1]}
exec(compile(open(sys.argv[1], encoding="utf-8").read(), sys.argv[1], "exec"), recipe)
made = recipe["Libranges"]()
made.autoreconf(None, None)
variants = [words[0] for words, more in said if "description" in more]
for count in range(len(variants) + 1):
    for made.chosen in itertools.combinations(variants, count):
        print(*made.configure_args())
PY
PYTHONDONTWRITEBYTECODE=1 python3 "$temp/recipe.py" "$contrib/spack/packages/libranges/package.py" >"$temp/arguments" 2>"$temp/said"
ok $? "Spack's recipe is run with words of Spack's"
[ ! -s "$temp/said" ] || diag "$(cat "$temp/said")"
is "$(sort -u "$temp/arguments" | wc -l)" 16 "each of its four variants gives configure something else"
"$top_srcdir/configure" --help >"$temp/help" 2>&1
missing=
for option in $(tr ' ' '\n' <"$temp/arguments" | sed 's/=.*//; s/--with\(out\)*-//' | sort -u); do
	grep -qE -e "--with(out)?-$option\b" "$temp/help" || missing="$missing $option"
done
is_empty "$missing" "all that it gives are options of configure"

# The Containerfile's first apt-get install, up to COPY.
sed -n '/^FROM.* AS build/,/^COPY/p' "$contrib/Containerfile" | sed 's/[^a-z0-9+-]/ /g' | tr -s ' ' '\n' |
	grep -E '^(lib.*-dev|gcc|g\+\+|make|auto.*|libtool|pkg-config|zlib1g-dev)$' | sort >"$temp/packages"
missing=
while read -r package; do
	grep -qw -e "$package" "$top_srcdir/check" || missing="$missing $package"
done <"$temp/packages"
is_empty "$missing" "the Containerfile builds with packages that ./check installs"
is "$(grep -c . "$temp/packages")" 15 "fifteen of them"
done_testing
