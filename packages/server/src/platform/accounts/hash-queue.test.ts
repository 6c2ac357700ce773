import { expect, test } from 'vitest';
import { HashQueue } from './hash-queue.ts';

function heldWork() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended.then(() => 'hashed'), end };
}

async function comeTogether(from: readonly (string | undefined)[]): Promise<string[]> {
  const queue = new HashQueue();
  const { work, end } = heldWork();
  const all = Promise.all(from.map((one) => queue.run(one, work)));
  end();
  return all;
}

const many = (count: number, from?: string) => Array.from({ length: count }, () => from);
const entered = (answers: readonly string[]) => answers.filter((one) => one === 'hashed').length;

test('one visitor takes a few places and leaves the others theirs', async () => {
  const answers = await comeTogether([...many(100, 'stranger'), 'somebody']);
  expect(entered(answers.slice(0, -1))).toBe(4);
  expect(answers.at(-1)).toBe('hashed');
});

test('a place is free again when its work has ended', async () => {
  const queue = new HashQueue();
  for (let at = 0; at < 10; at += 1) {
    expect(await queue.run('somebody', async () => 'hashed')).toBe('hashed');
  }
});

test('a crowd is asked to come back, wherever it comes from', async () => {
  expect(entered(await comeTogether(many(30)))).toBe(23);
  expect(entered(await comeTogether(many(30).map((_, at) => `visitor ${at}`)))).toBe(23);
});
