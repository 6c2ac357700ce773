import { expect, test } from 'vitest';
import { checkStyles } from './check-styles.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('the sheets of a page style no other page', () => {
  expect(checkStyles(repositoryRoot)).toEqual([]);
});

const folder = 'packages/console/src';
const sheet = `${folder}/styles/server.css`;

test.each([
  ['an element', 'summary { padding: 0; }', 'summary'],
  ['an element by its attribute', 'textarea[readonly] { color: red; }', 'textarea[readonly]'],
  ['one of a list', '.tool,\nins { color: red; }', 'ins'],
  [
    'one for small screens',
    '@media (max-width: 9px) {\n  .a { top: 0; }\n  td { top: 0; }\n}',
    'td',
  ],
  ['one after an animation', '@keyframes a { 50% { top: 0; } }\nh3 { top: 0; }', 'h3'],
])('%s without a class is refused', (_name, text, selector) => {
  expect(inTemporaryTree({ [sheet]: text }, checkStyles)).toEqual([
    `${sheet}: "${selector}" names no class and no id, so it styles other pages`,
  ]);
});

test('the same selector in two sheets is refused', () => {
  const run = `${folder}/styles/run.css`;
  const files = { [run]: '.beside { top: 0; }', [sheet]: '.beside,\n.beside i { top: 1px; }' };
  expect(inTemporaryTree(files, checkStyles)).toEqual([`${sheet}: ".beside" stands in ${run} too`]);
});

test('a sheet of every page, a class, an animation and a comment are fine', () => {
  const files = {
    [`${folder}/main.tsx`]: "import './styles/base.css';\n",
    [`${folder}/styles/base.css`]: 'summary { padding: 0; }',
    [sheet]:
      '/* summary { } */\n.tool summary { top: 0; }\n@keyframes a {\n  to { top: 0; }\n}\n.b { top: 0; }',
  };
  expect(inTemporaryTree(files, checkStyles)).toEqual([]);
});
