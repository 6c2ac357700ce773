// The rule: a page's style sheet stays loaded on every later page, so each of its selectors must
// name a class or an id, and no two such sheets may style the same class or id. The style sheets of
// the console's entries are exempt, because they are loaded on every page.
import { listFiles, readText } from './source-tree.ts';

const folder = 'packages/console/src/';

export function checkStyles(root: string): string[] {
  const files = listFiles(root).filter((file) => file.startsWith(folder));
  const entries = files.filter((file) => /\/(visit-)?main\.tsx$/.test(file));
  const onEveryPage = new Set(entries.flatMap((file) => importedSheets(readText(root, file))));
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const file of files.filter((one) => one.endsWith('.css'))) {
    if (onEveryPage.has(file)) continue;
    for (const selector of new Set(selectorsOf(readText(root, file)))) {
      const owner = owners.get(selector);
      if (!/[.#]/.test(selector)) {
        problems.push(`${file}: "${selector}" names no class and no id, so it styles other pages`);
      } else if (owner !== undefined) {
        problems.push(`${file}: "${selector}" stands in ${owner} too`);
      }
      owners.set(selector, owner ?? file);
    }
  }
  return problems;
}

function importedSheets(text: string): string[] {
  return [...text.matchAll(/import '\.\/(.+\.css)';/g)].map(([, name]) => `${folder}${name}`);
}

/** Returns the selectors of a style sheet one by one, without those of keyframes. */
function selectorsOf(text: string): string[] {
  const rules = text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*/g, '');
  return [...rules.matchAll(/([^{};]+)\{/g)]
    .map(([, head = '']) => head.trim())
    .filter((head) => !head.startsWith('@'))
    .flatMap((head) => head.split(/,(?![^()]*\))/))
    .map((selector) => selector.trim().replace(/\s+/g, ' '));
}
