import { expect, test } from 'vitest';
import { ModelFailure } from '../../outside/model/model-failure.ts';
import type { ModelGateway, ModelReply } from '../../outside/model/model-gateway.ts';
import { CallSizes } from './call-sizes.ts';
import { CreditsUsedUp, type MeteredCredits, meteredModels } from './metered-models.ts';

type Generate = ModelGateway['generate'];
type Asked = Parameters<Generate>[2];
type Reserve = MeteredCredits['reserve'];
type Wanted = Parameters<Reserve>[0];

const price = { inputPerMillion: 1, outputPerMillion: 2 };
const model = { id: 'local/one', provider: 'local', name: 'one', hosted: true } as const;
const request = { messages: [{ role: 'user', content: 'Say something.' }], tools: [] } as const;
/** 2,000 input and 1,000 output tokens cost 0.4 credits. */
const reply: ModelReply = {
  text: 'Yes.',
  toolCalls: [],
  finishReason: 'stop',
  attempts: 1,
  usage: { inputTokens: 2000, outputTokens: 1000 },
};
const noSignal = new AbortController().signal;

function credits(mayReserve: (credits: number, spent: number) => boolean = () => true) {
  const reserved: number[] = [];
  return {
    reserved,
    sizes: new CallSizes(),
    async reserve({ credits, spent }: Wanted) {
      reserved.push(credits);
      return { isReserved: mayReserve(credits, spent), mayWait: false };
    },
    async keep(spent: number) {
      reserved.push(spent);
    },
  };
}

async function abandoned(began: (asked: Asked) => void) {
  const leaving = new AbortController();
  const hangs: Generate = (_, __, asked) => {
    began(asked);
    return new Promise((_resolve, reject) => {
      asked.signal.addEventListener('abort', () => reject(asked.signal.reason));
    });
  };
  const meter = meteredModels({ generate: hangs }, price, credits());
  const left = meter.models.generate(model, request, { signal: leaving.signal });
  await new Promise((resolve) => setImmediate(resolve));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  return meter.cost();
}

test('a call that only waited, or was refused and waited to be sent again, cost nothing', async () => {
  expect(await abandoned(() => undefined)).toBeNull();
  const refused = (asked: Asked) => {
    asked.onSent?.(true);
    asked.onSent?.(false);
  };
  expect(await abandoned(refused)).toBeNull();
  const sent = await abandoned((asked) => asked.onSent?.(true));
  expect(sent).toMatchObject({ priced: false });
  expect(sent?.credits).toBeGreaterThan(0.8);
});

test('without a cap, nothing is known of trials whose calls were never sent', async () => {
  const failing: Generate = async () => {
    throw new ModelFailure('KEY_REFUSED', 'There is no key.', 0);
  };
  const meter = meteredModels({ generate: failing }, price);
  await expect(meter.models.generate(model, request, { signal: noSignal })).rejects.toThrow('key');
  expect(meter.cost()).toBeNull();
});

test('every call is set aside for beside what is spent already, and not sent where that does not fit', async () => {
  let sent = 0;
  const answers: Generate = async () => {
    sent += 1;
    return reply;
  };
  const capped = credits((wanted) => wanted < 1.3);
  const meter = meteredModels({ generate: answers }, price, capped);
  await meter.models.generate(model, request, { signal: noSignal });
  await expect(meter.models.generate(model, request, { signal: noSignal })).rejects.toThrow(
    CreditsUsedUp,
  );
  expect([sent, meter.isOutOfCredits(), meter.isReserved()]).toEqual([1, true, true]);
  expect(meter.cost()).toMatchObject({ credits: 0.4, priced: true });
  // The second reservation is the cost of the first call (0.4) plus the worst case of the second
  // call. That worst case counts 2,000 input tokens, as the first call had.
  expect(capped.reserved[0]).toBeLessThan(0.9);
  expect(capped.reserved[1]).toBe(0.4);
  expect(capped.reserved[2]).toBeCloseTo(0.4 + 0.2 + 0.8192, 9);
});

test('a provider that counts more than a request lets expect is found out by one call', async () => {
  let underWay = 0;
  let most = 0;
  const heavy: Generate = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return { ...reply, usage: { inputTokens: 20_000, outputTokens: 5000 } };
  };
  // Each call costs 3 credits, and the limit is 4 credits.
  let spent = 0;
  const capped = {
    ...credits((wanted) => spent + wanted <= 4),
    keep: async (credits: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      spent += credits;
    },
  };
  const trials = Array.from({ length: 8 }, () => {
    const meter = meteredModels({ generate: heavy }, price, capped);
    return meter.models.generate(model, request, { signal: noSignal }).catch(() => undefined);
  });
  await Promise.all(trials);
  expect([most, spent]).toEqual([1, 3]);
});

test('what was not asked for want of credits stays said, though a smaller call fits later', async () => {
  const capped = credits((wanted) => wanted < 0.9);
  const meter = meteredModels({ generate: async () => reply }, price, capped);
  const large = { messages: [{ role: 'user', content: 'x'.repeat(30_000) }], tools: [] } as const;
  await expect(meter.models.generate(model, large, { signal: noSignal })).rejects.toThrow(
    CreditsUsedUp,
  );
  await meter.models.generate(model, request, { signal: noSignal });
  expect(meter.isOutOfCredits()).toBe(true);
});

test('a wait for credits that the clock ends is no want of credits', async () => {
  const leaving = new AbortController();
  const capped = {
    ...credits(),
    reserve: (_wanted: Wanted, signal: AbortSignal) =>
      new Promise<Awaited<ReturnType<Reserve>>>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const meter = meteredModels({ generate: async () => reply }, price, capped);
  const asked = meter.models.generate(model, request, { signal: leaving.signal });
  setImmediate(() => leaving.abort(new Error('over')));
  await expect(asked).rejects.toThrow('over');
  expect([meter.isOutOfCredits(), meter.cost()]).toEqual([false, null]);
});

test('a call that was refused tells nothing of the size of others: they still go one at a time', async () => {
  let underWay = 0;
  let most = 0;
  const refuses: Generate = async (_, __, asked) => {
    asked.onSent?.(true);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    throw new ModelFailure('RATE_LIMITED', 'Too often.', 1);
  };
  const capped = credits();
  const calls = Array.from({ length: 5 }, () => {
    const meter = meteredModels({ generate: refuses }, price, capped);
    return meter.models.generate(model, request, { signal: noSignal }).catch(() => undefined);
  });
  await Promise.all(calls);
  expect(most).toBe(1);
});

test('what a call did not need comes back when it has ended, before a tool may take long', async () => {
  const kept: (number | boolean)[][] = [];
  const capped = {
    ...credits(),
    keep: async (spent: number, isUnderWay: boolean) => void kept.push([spent, isUnderWay]),
  };
  let isFirst = true;
  const generate: Generate = async () => {
    const isLong = isFirst;
    isFirst = false;
    for (let turns = 0; turns < (isLong ? 20 : 1); turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return reply;
  };
  capped.sizes.note('local/one', 100, { inputTokens: 1, outputTokens: 1 });
  const meter = meteredModels({ generate }, price, capped);
  const ask = () => meter.models.generate(model, request, { signal: noSignal });
  await Promise.all([ask(), ask()]);
  // The second call ended first. At that time the first call was still running, so its worst case
  // was counted.
  expect(kept).toEqual([
    [expect.closeTo(0.4 + Number(capped.reserved[0]), 9), true],
    [expect.closeTo(0.8, 9), false],
  ]);
});

test('a call beside another of the same trial waits for what that one gives back', async () => {
  const capped = {
    ...credits(),
    /**
     * Has room for one call's worst case and the other call's cost, but not for two worst cases.
     */
    async reserve({ credits, isUnderWay }: Wanted) {
      return { isReserved: credits < 1.3, mayWait: isUnderWay };
    },
  };
  capped.sizes.note('local/one', 100, { inputTokens: 1, outputTokens: 1 });
  let underWay = 0;
  let most = 0;
  const generate: Generate = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 30));
    underWay -= 1;
    return { ...reply, usage: { inputTokens: 10, outputTokens: 5 } };
  };
  const meter = meteredModels({ generate }, price, capped);
  const ask = () => meter.models.generate(model, request, { signal: noSignal });
  await Promise.all([ask(), ask(), ask()]);
  expect([most, meter.isOutOfCredits()]).toEqual([1, false]);
});

test('the clocks of whoever asks stand still while the call waits for its turn and for credits', async () => {
  const steps: string[] = [];
  const capped = {
    ...credits(),
    reserve: async () => {
      steps.push('credits');
      return { isReserved: true, mayWait: false };
    },
  };
  const generate: Generate = async () => {
    steps.push('sent');
    return reply;
  };
  const onHeld = (isHeld: boolean) => steps.push(isHeld ? 'held' : 'goes on');
  const asked = { signal: noSignal, onHeld };
  await meteredModels({ generate }, price, capped).models.generate(model, request, asked);
  expect(steps.splice(0)).toEqual(['held', 'credits', 'goes on', 'sent']);
  await meteredModels({ generate }, price).models.generate(model, request, asked);
  expect(steps.splice(0)).toEqual(['sent']);
  const none = { ...capped, reserve: async () => ({ isReserved: false, mayWait: false }) };
  const refused = meteredModels({ generate }, price, none).models.generate(model, request, asked);
  await expect(refused).rejects.toThrow(CreditsUsedUp);
  expect(steps).toEqual(['held', 'goes on']);
});
