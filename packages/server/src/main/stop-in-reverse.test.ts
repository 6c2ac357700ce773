import { expect, test } from 'vitest';
import { stopInReverse } from './stop-in-reverse.ts';

test('every step is taken, the last first, and what failed is told', async () => {
  const taken: string[] = [];
  const step = (name: string, fails: boolean) => async () => {
    taken.push(name);
    if (fails) throw new Error(name);
  };
  const steps = [step('first', false), step('second', true), step('third', false)];
  await expect(stopInReverse(steps)).rejects.toThrow('second');
  expect(taken).toEqual(['third', 'second', 'first']);
  await stopInReverse(steps);
  expect(taken, 'each once').toHaveLength(3);
  const failing = stopInReverse([step('fourth', true), step('fifth', true)]);
  await expect(failing).rejects.toMatchObject({
    errors: [{ message: 'fifth' }, { message: 'fourth' }],
  });
});
