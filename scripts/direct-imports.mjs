// For the bundler: what a file imports from the index of a package of ours comes straight from the file that has it. With
// code splitting esbuild keeps or drops whole files, so whoever takes one name from an index would load all it leads to,
// which for the contract and the rules was two thirds of the CPU of a command's start.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const imports = /^import \{([^}]*)\} from '(@proofmark\/(?:client|contract|domain))';$/gm;
const reExports = /^export (?:\*|\{([^}]*)\}) from '(\.[^']*)';$/gm;
const exported = /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class) (\w+)/gm;

export function directImports(root) {
  const indexes = new Map();
  const filesOf = (name) => {
    if (!indexes.has(name)) indexes.set(name, readIndex(root, name));
    return indexes.get(name);
  };
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /[/\\]packages[/\\]\w+[/\\]src[/\\].*\.ts$/ }, ({ path: file }) => ({
        loader: 'ts',
        contents: readFileSync(file, 'utf8').replace(imports, (whole, names, name) => {
          const lines = valuesOf(names).map(
            (value) => `import { ${value} } from '${fileWith(filesOf(name), value, file)}';`,
          );
          // As many lines as before, so that source maps stay true.
          return lines.join(' ') + whole.replace(/[^\n]/g, '');
        }),
      }));
    },
  };
}

/** Which file each name of the index is written in. */
function readIndex(root, name) {
  const folder = path.join(root, 'packages', name.replace('@proofmark/', ''), 'src');
  return new Map(namesOf(path.join(folder, 'index.ts')));
}

/** With the file of each; what a file exports of others is theirs. */
function namesOf(file) {
  const text = readFileSync(file, 'utf8');
  const own = [...text.matchAll(exported)].map(([, name]) => [name, file]);
  const others = [...text.matchAll(reExports)].flatMap(([, names, place]) => {
    const other = path.join(path.dirname(file), place);
    return names === undefined ? namesOf(other) : valuesOf(names).map((value) => [value, other]);
  });
  return [...own, ...others];
}

function valuesOf(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function fileWith(files, value, importer) {
  const [name] = value.split(' as ');
  const file = files.get(name);
  if (file === undefined) throw new Error(`${importer} imports ${name}, which no index names.`);
  return file;
}
