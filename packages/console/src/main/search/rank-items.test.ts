import { expect, test } from 'vitest';
import { rankItems, runOfId, type SearchItem } from './rank-items.ts';

const item = (name: string, kind = 'server', place = 'Default'): SearchItem => ({
  name,
  kind,
  place,
  href: `/${name}`,
});
const names = (items: readonly SearchItem[]) => items.map(({ name }) => name);

test('a name that begins with what was typed comes first, then one with such a word, then the rest', () => {
  const items = [item('Bookshop'), item('The shop'), item('Shop'), item('Shop of books')];
  expect(names(rankItems(items, 'shop'))).toEqual([
    ...['Shop', 'Shop of books', 'The shop', 'Bookshop'],
  ]);
});

test('every word has to be found, also in what it is and where', () => {
  const items = [item('Shop'), item('Shop', 'suite'), item('Shop', 'suite', 'Other')];
  expect(rankItems(items, 'other suite shop')).toEqual([items[2]]);
  expect(rankItems(items, 'shop garden')).toEqual([]);
  expect(rankItems(items, '  ')).toEqual(items);
});

test('signs are taken as they are', () => {
  expect(names(rankItems([item('a.*b'), item('axxb')], '.*'))).toEqual(['a.*b']);
});

test('the id of a run leads to it, alone or in an address', () => {
  const href = '/evals/suite/-/runs/run_0123456789abc';
  expect(runOfId('run_0123456789abc')?.href).toBe(href);
  expect(runOfId('http://x/projects/p/runs/run_0123456789abc')?.href).toBe(href);
  expect(runOfId('run the suite')).toBeUndefined();
});
