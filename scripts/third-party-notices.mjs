// Collects the licences of packages in the bundles, which have to be passed on with the code. The
// packages are read from the bundles themselves, so none is forgotten and none is named wrongly.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** @param {Iterable<string>} files the bundled files; those outside `node_modules` are ours. */
export function thirdPartyNotices(files) {
  const packages = new Map();
  for (const file of files) {
    const folder = packageFolderOf(file);
    if (folder !== undefined && !packages.has(folder)) packages.set(folder, noticeOf(folder));
  }
  // The set removes duplicates, because a package may be installed twice in the same version.
  const notices = [...new Set(packages.values())].sort();
  return ['Code of others that is part of this package, with its licences.', ...notices].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

/** Returns the folder of a file's innermost package, without a bundler's addition to its name. */
export function packageFolderOf(file) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/@\0?]+)\//.exec(file.replaceAll('\\', '/'));
  return found?.[1].replace(/^\0/, '');
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  if (typeof license !== 'string') throw new Error(`${folder} states no licence.`);
  const texts = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  if (texts.length === 0) {
    // Apache-2.0 is Proofmark's own licence, so its text is known. Other texts must be found first.
    if (license !== 'Apache-2.0') throw new Error(`${folder} carries no text of its licence.`);
    texts.push('The Apache License 2.0, as it stands in the file LICENSE of this package.');
  }
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** Returns the sources of the bundles in a folder, from the source maps beside them. */
export function mappedSources(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const { sources } = JSON.parse(readFileSync(file, 'utf8'));
      return sources.map((source) => path.resolve(path.dirname(file), source));
    })
    .filter((source) => existsSync(source));
}
