/**
 * The table of situations: correct and defective servers and providers, tested through the public
 * API, each with its required verdict, stage, reason and category. Each is also replayed from its
 * recording. `npm run situations` prints the table. PROOFMARK_SITUATIONS limits it to rows whose
 * theme or name contains that text.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Played, playSituations } from './play-situations.ts';
import { printTable } from './print-table.ts';
import type { Situation } from './situation.ts';
import { themes } from './themes.ts';

/**
 * Selects rows by a part of their theme and name; `all` selects all rows. With any value, the table
 * is printed.
 */
const chosenRows = process.env['PROOFMARK_SITUATIONS'];
const isWanted = (row: Situation, theme: string) =>
  chosenRows === undefined || chosenRows === 'all' || `${theme}: ${row.name}`.includes(chosenRows);
const names = themes.flatMap(({ theme, situations }) =>
  situations.filter((row) => isWanted(row, theme)).map(({ name }) => ({ theme, name })),
);

let played: readonly Played[] = [];
beforeAll(async () => {
  played = await playSituations(themes, isWanted);
  if (chosenRows !== undefined) printTable(played);
}, 900_000);

describe.each([...new Set(names.map(({ theme }) => theme))])('%s', (theme) => {
  test.each(names.filter((one) => one.theme === theme).map(({ name }) => name))('%s', (name) => {
    const found = played.find((one) => one.theme === theme && one.name === name);
    expect(found?.problems, `expected ${found?.expected}, got ${found?.got}`).toEqual([]);
  });
});

test('there are at least 150 rows, and each has a name of its own', () => {
  const all = themes.flatMap(({ theme, situations }) =>
    situations.map(({ name }) => `${theme}: ${name}`),
  );
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
