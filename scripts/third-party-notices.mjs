// Collects the licences of bundled packages, which must be passed on with the code. The list of
// packages is read from the bundles themselves, so it is complete.
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
  const notices = [...new Set(packages.values())].sort();
  return ['Code of others that is part of this package, with its licences.', ...notices].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

/**
 * Returns the folder of the innermost package that contains the file, without a bundler's prefix.
 */
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
    // Apache-2.0 is Proofmark's own licence, so its text is available. Other missing texts must be
    // added by hand.
    if (license !== 'Apache-2.0') throw new Error(`${folder} carries no text of its licence.`);
    texts.push('The Apache License 2.0, as it stands in the file LICENSE of this package.');
  }
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

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
