import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ofStatus } from '../outside/mcp/explain-mcp-error.ts';
import { CallSlots, fewerThan } from './call-slots.ts';
import { isRefusedEvenAlone, retryWhileAskedToWait } from './retry-while-asked-to-wait.ts';

const never = new AbortController().signal;

function place(slots: CallSlots, more: { endsInMs?: number; signal?: AbortSignal } = {}) {
  return {
    slots,
    serverId: 'srv',
    atMost: 8,
    signal: more.signal ?? never,
    time: endsAfter(more.endsInMs ?? 20_000),
    onHeld: () => undefined,
  };
}

function endsAfter(ms: number) {
  const endsAtMs = performance.now() + ms;
  return { remainingMs: () => endsAtMs - performance.now() };
}

test('what was refused for its pace is sent again with fewer at a time, until all is answered', async () => {
  const slots = new CallSlots();
  const leave = slots.join('srv');
  let [atOnce, most, refused] = [0, 0, 0];
  const work = async () => {
    if (atOnce === 2) {
      refused += 1;
      throw ofStatus(429);
    }
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setTimeout(resolve, 10));
    atOnce -= 1;
    return 'done';
  };
  const all = await Promise.all(
    Array.from({ length: 16 }, () => retryWhileAskedToWait(place(slots), work)),
  );
  expect(new Set(all)).toEqual(new Set(['done']));
  const refusedAtFirst = refused;
  expect(refusedAtFirst).toBeGreaterThan(0);
  // The lowered limit applies for the rest of the run.
  await Promise.all(Array.from({ length: 16 }, () => retryWhileAskedToWait(place(slots), work)));
  expect(refused - refusedAtFirst).toBeLessThan(refusedAtFirst);
  leave();
  expect(slots.isSlowed('srv')).toBe(false);
});

describe('refused even alone', () => {
  test('at once, where it wants more time than the trial has; the next one does not ask', async () => {
    const slots = new CallSlots();
    slots.join('srv');
    let calls = 0;
    const ask = () =>
      retryWhileAskedToWait(place(slots), async () => {
        calls += 1;
        throw ofStatus(503, '600');
      }).catch((error: unknown) => error);
    for (const error of [await ask(), await ask()]) {
      expect(isRefusedEvenAlone(error)).toBe(true);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { status: 503 } });
    }
    expect(calls).toBe(1);
  });

  test('not while other processes ask it, too: it may be they whom it refuses us for', async () => {
    const slots = new CallSlots();
    slots.join('srv');
    const limits: number[] = [];
    const ask = (isAskedByOthers: () => boolean) =>
      retryWhileAskedToWait({ ...place(slots), isAskedByOthers }, async ({ limit }) => {
        limits.push(limit);
        if (limits.length < 4) throw ofStatus(429, '0.001');
        if (!isAskedByOthers()) throw ofStatus(429, '600');
        return 'answered';
      });
    slots.run('srv', 8, never, async ({ pace }) => {
      pace.isHopeless = true;
    });
    expect(await ask(() => true)).toBe('answered');
    // Each rejection lowers the number of concurrent calls allowed to all processes together.
    expect(limits).toEqual([8, 4, 3, 2]);
    await expect(ask(() => false)).rejects.toSatisfy(isRefusedEvenAlone);
  });

  test('after a while, where it says nothing of time; whoever gives up leaves at once', async () => {
    const slots = new CallSlots();
    slots.join('srv');
    const refuse = async () => {
      throw ofStatus(429);
    };
    const waited = retryWhileAskedToWait(place(slots, { endsInMs: 300 }), refuse);
    await expect(waited).rejects.toSatisfy(isRefusedEvenAlone);
    const controller = new AbortController();
    const leaving = retryWhileAskedToWait(place(slots, { signal: controller.signal }), refuse);
    controller.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
  });
});

test('a call that hangs is not told as one that had to wait, also where calls are fewer by now', async () => {
  const slots = new CallSlots();
  slots.join('srv');
  const held: boolean[] = [];
  const listeners = { onHeld: (isHeld: boolean) => void held.push(isHeld) };
  let calls = 0;
  await retryWhileAskedToWait({ ...place(slots), ...listeners }, async () => {
    calls += 1;
    if (calls === 1) throw ofStatus(429);
  });
  expect(held).toEqual([false, false, true, true, false]);
  const controller = new AbortController();
  const hanging = retryWhileAskedToWait(
    { ...place(slots, { signal: controller.signal }), ...listeners },
    () => new Promise((_, reject) => setTimeout(() => reject(new Error('over')), 20)),
  );
  await expect(hanging).rejects.toThrow('over');
  expect(held.at(-1)).toBe(false);
});

test('any other failure is told at once', async () => {
  let calls = 0;
  const ask = retryWhileAskedToWait(place(new CallSlots()), async () => {
    calls += 1;
    throw ofStatus(503);
  });
  await expect(ask).rejects.toMatchObject({ details: { reason: 'HTTP_ERROR', status: 503 } });
  expect(calls).toBe(1);
});

test('fewer are always fewer, down to one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (limit) => {
      const fewer = fewerThan(limit);
      expect(fewer).toBeGreaterThanOrEqual(1);
      expect(fewer).toBeLessThanOrEqual(Math.max(1, limit - 1));
    }),
  );
});

test('no more are at work than may be, whoever comes, fails or leaves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom('works', 'fails', 'leaves'), { maxLength: 20 }),
      async (atMost, kinds) => {
        const slots = new CallSlots();
        let [atOnce, most] = [0, 0];
        const outcomes = kinds.map((kind) => {
          const controller = new AbortController();
          const running = slots.run('srv', atMost, controller.signal, async () => {
            atOnce += 1;
            most = Math.max(most, atOnce);
            await new Promise((resolve) => setImmediate(resolve));
            atOnce -= 1;
            if (kind === 'fails') throw new Error('failed');
          });
          if (kind === 'leaves') controller.abort(new Error('left'));
          return running.catch(() => undefined);
        });
        await Promise.all(outcomes);
        expect(most).toBeLessThanOrEqual(atMost);
        expect(atOnce).toBe(0);
      },
    ),
    { numRuns: 50 },
  );
});

test('a server is slowed for the runs that it asked to wait, and no longer', async () => {
  const slots = new CallSlots();
  const leaveFirst = slots.join('srv');
  let calls = 0;
  await retryWhileAskedToWait(place(slots), async () => {
    calls += 1;
    if (calls === 1) throw ofStatus(429);
  });
  expect(slots.isSlowed('srv')).toBe(true);
  const leaveSecond = slots.join('srv');
  leaveFirst();
  expect(slots.isSlowed('srv')).toBe(false);
  leaveSecond();
});

test('a wait that is longer than the trial is told as that', async () => {
  const slots = new CallSlots();
  const refuse = async () => {
    throw ofStatus(429, '3600');
  };
  await expect(retryWhileAskedToWait(place(slots), refuse)).rejects.toThrow(
    /longer than the trial/,
  );
});
