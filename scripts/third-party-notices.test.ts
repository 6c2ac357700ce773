import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mappedSources, packageFolderOf, thirdPartyNotices } from './third-party-notices.mjs';

let directory: ReturnType<typeof temporaryDirectory>;
beforeAll(() => {
  directory = temporaryDirectory();
});
afterAll(() => directory.remove());

function install(name: string, manifest: object, files: Readonly<Record<string, string>>): string {
  const folder = path.join(directory.path, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, ...manifest }));
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return folder;
}

test('each package in a bundle is named once, with all texts of its licence', () => {
  const one = install('one', { version: '1.2.3', license: 'MIT' }, { 'LICENSE.md': 'Text of one' });
  const scoped = install(...(['@some/two', { version: '2.0.0', license: 'ISC' }] as const), {
    LICENCE: 'Text of two',
    NOTICE: 'Notice of two',
    'license-check.js': 'Not a licence',
  });
  install('three', { version: '3.0.0', license: 'MIT' }, { LICENSE: 'Text of three' });
  const notices = thirdPartyNotices([
    ...[`${one}/index.js`, `${one}/lib/other.js`, `${scoped}/dist/index.mjs`],
    path.join(directory.path, 'packages/ours.js'),
  ]);
  expect(notices.match(/^one 1\.2\.3 \(MIT\)$/gm)).toHaveLength(1);
  for (const part of ['Text of one', '@some/two 2.0.0 (ISC)', 'Text of two', 'Notice of two'])
    expect(notices).toContain(part);
  expect(notices).not.toContain('three');
});

test('a package whose licence cannot be passed on stops the packing', () => {
  const silent = install('silent', { version: '1.0.0' }, { LICENSE: 'Text' });
  expect(() => thirdPartyNotices([`${silent}/index.js`])).toThrow('states no licence');
  const bare = install('bare', { version: '1.0.0', license: 'MIT' }, {});
  expect(() => thirdPartyNotices([`${bare}/index.js`])).toThrow('carries no text of its licence');
  const apache = install('apache', { version: '1.0.0', license: 'Apache-2.0' }, {});
  expect(thirdPartyNotices([`${apache}/index.js`])).toContain('the file LICENSE of this package');
});

test('what a bundle was made of is read from the maps beside it', () => {
  const one = install('mapped', { version: '1.0.0', license: 'MIT' }, { 'index.js': '' });
  const assets = path.join(directory.path, 'dist/assets');
  mkdirSync(assets, { recursive: true });
  const sources = ['../../node_modules/mapped/index.js', '../../gone.js'];
  writeFileSync(path.join(assets, 'page.js.map'), JSON.stringify({ sources }));
  expect(mappedSources(path.join(directory.path, 'dist'))).toEqual([`${one}/index.js`]);
});

test('the package of a file is the innermost one', () => {
  expect(packageFolderOf('/a/node_modules/b/node_modules/@c/d/e.js')).toBe(
    '/a/node_modules/b/node_modules/@c/d',
  );
  expect(packageFolderOf('/a/packages/b.js')).toBeUndefined();
});
