// A bundler plugin that replaces an import from the index of a repository package by an import from
// the defining file. With code splitting, esbuild keeps or drops whole files, so one name from an
// index would load every file behind the index. For the packages `contract` and `domain`, that was
// two thirds of the CPU of a command's start.
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
          // The text keeps its number of lines, so that source maps stay correct.
          return lines.join(' ') + whole.replace(/[^\n]/g, '');
        }),
      }));
    },
  };
}

function readIndex(root, name) {
  const folder = path.join(root, 'packages', name.replace('@proofmark/', ''), 'src');
  return new Map(namesOf(path.join(folder, 'index.ts')));
}

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
