// The rules: every path and link in a document exists; the table in ARCHITECTURE.md equals the
// direction table in direction.ts, and its tree has every folder.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { direction } from './direction.ts';
import { listFiles, readText } from './source-tree.ts';

const namingDocument = /^(README|ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/.*\.md$/;
const topFolders = ['packages', 'tests', 'scripts', 'bench', 'deploy', 'docs', '.ci'];
const packageNames = [
  'domain',
  'report',
  'contract',
  'server',
  'client',
  'cli',
  'console',
  'harness',
];

export function checkNamedPaths(root: string): string[] {
  const files = listFiles(root);
  return files
    .filter((file) => namingDocument.test(file))
    .flatMap((document) =>
      namesIn(readText(root, document))
        .filter((name) => !nameExists(files, name))
        .map((name) => `${document} names ${name}, which does not exist`),
    );
}

export function checkLinks(root: string): string[] {
  return listFiles(root)
    .filter((file) => file.endsWith('.md'))
    .flatMap((document) =>
      linksIn(readText(root, document))
        .filter((link) => !existsSync(path.join(root, path.dirname(document), link)))
        .map((link) => `${document} links to ${link}, which does not exist`),
    );
}

/** ARCHITECTURE.md may omit modules of direction.ts, but each row that it has must be equal. */
export function checkDrawnDirection(architecture: string): string[] {
  const rows = [...architecture.matchAll(/^\| `([a-z-]+(?:\/[a-z-]+)?)` \| (.*) \|$/gm)].map(
    (row) => ({
      module: row[1] ?? '',
      drawn: [...(row[2] ?? '').matchAll(/`([a-z-]+(?:\/[a-z-]+)?)`/g)].map(
        (match) => match[1] ?? '',
      ),
    }),
  );
  const drawnModules = rows.map(({ module }) => module);
  if (rows.length === 0) return ['the direction table is not drawn'];
  return rows.flatMap(({ module, drawn }) => {
    const isFeature = module.startsWith('features/');
    const granted = (direction[module] ?? []).filter(
      (target) => drawnModules.includes(target) && (!isFeature || target.startsWith('features/')),
    );
    const same = [...drawn].sort().join() === [...granted].sort().join();
    return same
      ? []
      : [`${module} is drawn with ${drawn.join(', ')} but has ${granted.join(', ')}`];
  });
}

export function checkDrawnTree(files: readonly string[], architecture: string): string[] {
  const folders = files.flatMap(
    (file) => /^(packages\/[^/]+\/src|tests)\/[^/]+\//.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)]
    .filter((folder) => !architecture.includes(`\`${folder}\``))
    .map((folder) => `${folder} is missing from the tree`);
}

function namesIn(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/`([^`\s]+)`/g)].map((match) => match[1] ?? '');
}

function linksIn(markdown: string): string[] {
  const link = /\]\(<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)|\ssrc(?:set)?="([^"]+)"/gm;
  return [...withoutCode(markdown).matchAll(link)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((target) => !/^([a-z][a-z+.-]*:|#|\/)/i.test(target))
    .map((target) => decodeURIComponent(target.replace(/#.*$/, '')));
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replace(/`[^`\n]*`/g, '');
}

// Returns whether a named file exists. If the name contains a placeholder (`<resource>`, `*`, `…`),
// only the folders before it are checked. Installed and built files are not checked, since a fresh
// clone lacks them.
function nameExists(files: readonly string[], name: string): boolean {
  const named = name.replace(/^\.\//, '').replace(/(:\d+)+$/, '');
  const [first = '', ...rest] = named.split('/');
  if (/(^|\/)(dist|node_modules)(\/|$)/.test(named)) return true;
  if (rest.length === 0) {
    const namesFile = /^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|md)$/.test(named);
    return !namesFile || files.some((file) => path.posix.basename(file) === named);
  }
  const firm = named.replace(/(^|\/)[^/]*[<>*…{}].*$/, '');
  if (topFolders.includes(first)) return isFileOrFolder(files, firm);
  if (packageNames.includes(first) && rest[0] === 'src')
    return isFileOrFolder(files, `packages/${firm}`);
  return true;
}

// Returns whether a file or folder exists. A folder must contain a file, since git does not store
// an empty one.
function isFileOrFolder(files: readonly string[], named: string): boolean {
  const folder = named.endsWith('/') ? named : `${named}/`;
  return files.some((file) => file === named || file.startsWith(folder));
}
