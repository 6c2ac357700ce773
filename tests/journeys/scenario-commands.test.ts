import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
let service: ServiceHere;
let key: string;

beforeAll(async () => {
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  key = made.apiKey;
  await workspace.admin('set-feature', 'Acme', 'user-testing', 'on');
  const ask = projectApi(service.url, made.projectId, key);
  const server = { name: 'stock', enabled: true, transportType: 'http' };
  const headers = { 'X-Key': 'secret' };
  const { id: serverId } = await ask('POST', 'servers', {
    ...server,
    url: 'http://127.0.0.1:9/mcp',
    headers,
  });
  const config = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const { id: hostId } = await ask('POST', 'clients', { name: 'Desk', config });
  await ask('POST', 'environments', { name: 'Shop', hostId });
});
afterAll(() => workspace.remove());

const proofmark = (...parameters: string[]) =>
  workspace.runHere(parameters, {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: key,
    LC_ALL: 'C.UTF-8',
  });

const link = /Link:\s+(http:\S+\/user-testing\/\S+)\n/;

test('a scenario from its link to its end', async () => {
  expect((await proofmark('scenario', 'list')).stdout).toMatch(/^There are no scenarios\. /);
  const published = await proofmark('scenario', 'publish', 'Shop', '--name', 'Try the shop');
  expect(published.stdout).toMatch(/^Published Try the shop, open to project_members\.\nLink:/);
  const first = link.exec(published.stdout)?.[1];
  const again = await proofmark('scenario', 'publish', 'Shop', '--mode', 'anyone_with_link');
  expect(again.stdout).toMatch(
    /^Published before: Try the shop, open to project_members\.\nThe scenario existed already; the flags were ignored\.\n/,
  );
  expect(link.exec(again.stdout)?.[1]).toBe(first);
  expect((await proofmark('scenario', 'list')).stdout).toMatch(
    /^ID +OPEN TO +NAME\nscn_\w+ +project_members +Try the shop\n$/,
  );
  const shown = (await proofmark('scenario', 'show', 'Try the shop')).stdout;
  expect(shown).toMatch(/^Scenario: +Try the shop\n/);
  expect(shown).toMatch(
    /\nServers: +stock\nCredentials: +visitors act with those saved for stock\n/,
  );
  expect(shown).toMatch(/\nGuests: +only models without a cost\n/);

  const invited = await proofmark('scenario', 'invite', 'Try the shop', 'ann@x.io', '--mail');
  expect(invited.stdout).toMatch(
    /^Invited ann@x\.io\. Send this link; it is valid for seven days\.\n/,
  );
  expect(invited.stdout).toMatch(/\/user-testing\/try-the-shop\/[\w-]{43}#invite=[\w-]{43}\n$/);
  const wrong = await proofmark('scenario', 'invite', 'Try the shop', 'nobody');
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);

  const rotated = await proofmark('scenario', 'rotate', 'Try the shop');
  expect(link.exec(rotated.stdout)?.[1]).not.toBe(first);
  // Unpublishing works even while the feature is switched off.
  await workspace.admin('set-feature', 'Acme', 'user-testing', 'off');
  const closed = await proofmark('scenario', 'unpublish', 'Shop');
  expect(closed.stdout).toMatch(/^Scenario scn_\w+ is closed\.\n$/);
  const none = await proofmark('scenario', 'unpublish', 'Shop', '--json');
  expect(JSON.parse(none.stdout)).toMatchObject({ deleted: false });
});
