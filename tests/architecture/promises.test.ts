import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository-root.ts';

const states = ['kept', 'partly', 'not kept', 'not here'];
const document = readFileSync(path.join(repositoryRoot, 'docs/reference/promises.md'), 'utf8');
const rows = [...document.matchAll(/^\| ([A-Q]\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, id = '', promise = '', state = '', tests = '', figure = '']) => {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
    return { id, promise, state, files, figure };
  },
);

const later = { L: 6, M: 4, N: 4, O: 4, P: 2, Q: 4 };

test('all 130 are there, in order', () => {
  const sizes = { A: 6, B: 9, C: 17, D: 15, E: 9, F: 10, G: 6, H: 4, I: 13, J: 7, K: 10, ...later };
  const ids = Object.entries(sizes).flatMap(([letter, size]) =>
    Array.from({ length: size }, (_, at) => `${letter}${at + 1}`),
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

test('what is kept, in whole or in part, names tests that exist; the rest names none', () => {
  for (const { id, state, files } of rows) {
    expect(states, id).toContain(state);
    const isTested = state === 'kept' || state === 'partly';
    expect([id, files.length > 0]).toEqual([id, isTested]);
    for (const file of files) {
      expect(file).toMatch(/\.test\.ts$/);
      expect(existsSync(path.join(repositoryRoot, file)), file).toBe(true);
    }
  }
});

test('the counts are those of the rows', () => {
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
  expect(document).toContain(
    `${count('kept')} are kept, ${count('partly')} are partly kept, ${count('not kept')} are not kept, and ${count('not here')} is not here`,
  );
});
