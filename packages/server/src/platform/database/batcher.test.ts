import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Batcher, mostAtOnce } from './batcher.ts';

test('every question gets its own answer, whatever travels with it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
      async (pauses) => {
        const together = new Batcher<number, string>(async (questions) => {
          await new Promise((resolve) => setImmediate(resolve));
          return questions.map((question) => `answer ${question}`);
        });
        const answers: Promise<string>[] = [];
        for (const [at, turns] of pauses.entries()) {
          for (let turn = 0; turn < turns; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          answers.push(together.answer(at));
        }
        expect(await Promise.all(answers)).toEqual(pauses.map((_, at) => `answer ${at}`));
      },
    ),
    { numRuns: 50 },
  );
});

test('what arrives while one is under way travels as the next, and never too much at once', async () => {
  const groups: number[] = [];
  const together = new Batcher<number, number>(async (questions) => {
    groups.push(questions.length);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return [...questions];
  });
  const first = together.answer(0);
  await new Promise((resolve) => setImmediate(resolve));
  const rest = Array.from({ length: mostAtOnce + 50 }, (_, at) => together.answer(at + 1));
  await Promise.all([first, ...rest]);
  expect(groups).toEqual([1, mostAtOnce, 50]);
});

test('a journey that fails fails those on it and no others', async () => {
  let journeys = 0;
  const together = new Batcher<number, number>(async (questions) => {
    journeys += 1;
    if (journeys === 1) throw new Error('lost');
    return [...questions];
  });
  const lost = [together.answer(1), together.answer(2)];
  await expect(Promise.all(lost)).rejects.toThrow('lost');
  await expect(lost[1]).rejects.toThrow('lost');
  expect(await together.answer(3)).toBe(3);
});

test('a question that waited too long is refused without being asked, and later ones are', async () => {
  const asked: number[] = [];
  let arrive = () => {};
  const together = new Batcher<number, number>(async (questions) => {
    asked.push(...questions);
    if (questions.includes(1)) await new Promise<void>((resolve) => (arrive = resolve));
    return [...questions];
  }, 50);
  const first = together.answer(1);
  await new Promise((resolve) => setImmediate(resolve));
  const late = expect(together.answer(2)).rejects.toThrow('waited too long');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const inTime = together.answer(3);
  arrive();
  await late;
  expect(await Promise.all([first, inTime])).toEqual([1, 3]);
  expect(await together.answer(4)).toBe(4);
  expect(asked).toEqual([1, 3, 4]);
});
