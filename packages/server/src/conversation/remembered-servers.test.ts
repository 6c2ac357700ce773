import type { Json } from '@proofmark/domain';
import { expect, test } from 'vitest';
import type { ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import { notedServers, rememberedServers } from './remembered-servers.ts';
import type { OpenedServers, OpenOptions, RunServers, TrialServers } from './run-servers.ts';

const opened = {
  servers: [{ id: 'srv_1', name: 'Shop', tools: [{ name: 'price' }], connectMs: 1, listMs: 1 }],
  connect: { ok: true },
  toolsList: { ok: true },
  surface: { hash: 'h' },
} as unknown as OpenedServers;

/** Servers that answer with the number of the call in their session. */
function liveServers(listing = opened) {
  const log: string[] = [];
  let options: OpenOptions = {};
  const servers: RunServers = {
    async forTrial() {
      let calls = 0;
      log.push('open');
      const own: TrialServers = {
        open: async (_, given = {}) => {
          options = given;
          return listing;
        },
        async callTool(_, name, input) {
          calls += 1;
          log.push(`${name} ${JSON.stringify(input)}`);
          if (name === 'crash') throw new Error('It crashed.');
          return { result: { calls }, durationMs: 1 } as unknown as ToolOutcome;
        },
        ask: async () => {
          log.push('ask');
          throw new Error('Not needed.');
        },
        heldBack: () => 'held',
        close: () => log.push('close'),
      };
      return own;
    },
    listAgain: async () => [],
    close: async () => undefined,
  };
  return { servers, log, event: () => options.onServerEvent?.('Shop', { noise: 'x' }) };
}

const { signal } = new AbortController();
const time = { remainingMs: () => 1000 };
const call = async (servers: TrialServers, name: string, input: Json = {}) =>
  (await servers.callTool('srv_1', name, input, signal)).result;

async function noted(live: ReturnType<typeof liveServers>, ...names: string[]) {
  const notes = notedServers(live.servers);
  const servers = await notes.servers.forTrial(signal, time);
  await servers.open(signal, { onServerEvent: () => undefined });
  for (const name of names) await call(servers, name).catch(() => undefined);
  servers.close();
  return { servers, notes };
}

test('the same calls are answered without the servers', async () => {
  const live = liveServers();
  const { notes } = await noted(live, 'price', 'count');
  const memory = notes.remembered() ?? never();
  live.log.length = 0;
  const remembered = rememberedServers(memory, live.servers);
  const servers = await remembered.servers.forTrial(signal, time);
  expect(await servers.open(signal)).toBe(opened);
  expect(await call(servers, 'price')).toEqual({ calls: 1 });
  expect(await call(servers, 'count')).toEqual({ calls: 2 });
  expect(servers.heldBack()).toBeUndefined();
  servers.close();
  expect([remembered.wasLive(), live.log]).toEqual([false, []]);
});

test('another call opens the servers, which get the earlier calls first, and answer the rest', async () => {
  const live = liveServers();
  const { notes } = await noted(live, 'price', 'count');
  const memory = notes.remembered() ?? never();
  live.log.length = 0;
  const remembered = rememberedServers(memory, live.servers);
  const servers = await remembered.servers.forTrial(signal, time);
  await servers.open(signal);
  expect(await call(servers, 'price')).toEqual({ calls: 1 });
  expect(await call(servers, 'count', { of: 'x' })).toEqual({ calls: 2 });
  expect(await call(servers, 'count')).toEqual({ calls: 3 });
  servers.close();
  expect(remembered.wasLive()).toBe(true);
  const made = ['open', 'price {}', 'count {"of":"x"}', 'count {}', 'close'];
  expect(live.log).toEqual(made);
  expect(servers.heldBack()).toBe('held');
});

test('a request that is no call opens the servers, too', async () => {
  const live = liveServers();
  const { notes } = await noted(live);
  const remembered = rememberedServers(notes.remembered() ?? never(), live.servers);
  const servers = await remembered.servers.forTrial(signal, time);
  await servers.open(signal);
  await expect(servers.ask('srv_1', async () => 1, signal)).rejects.toThrow('Not needed.');
  expect(remembered.wasLive()).toBe(true);
});

test('a trial with anything that memory cannot repeat is not remembered', async () => {
  expect((await noted(liveServers(), 'crash')).notes.remembered()).toBeUndefined();
  const unlisted = liveServers({ ...opened, surface: null });
  expect((await noted(unlisted, 'price')).notes.remembered()).toBeUndefined();
  const told = liveServers();
  const ofEvent = await noted(told, 'price');
  told.event();
  expect(ofEvent.notes.remembered()).toBeUndefined();
  const ofRequest = await noted(liveServers());
  await ofRequest.servers.ask('srv_1', async () => 1, signal).catch(() => undefined);
  expect(ofRequest.notes.remembered()).toBeUndefined();
  const ofListing = await noted(liveServers());
  await ofListing.notes.servers.listAgain('srv_1', signal, time);
  expect(ofListing.notes.remembered()).toBeUndefined();
});

function never(): never {
  throw new Error('Nothing was remembered.');
}
