import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createModels } from './create-models.ts';
import { modelProviders } from './model-providers.ts';
import { BadSetting } from './setting.ts';
import { resolveSettings, settingRows } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofmark-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

function settingsWith(providers: unknown, environment: Record<string, string> = {}) {
  const file = join(folder, 'proofmark.config.json');
  writeFileSync(file, JSON.stringify({ modelProviders: providers }));
  return resolveSettings({}, { PROOFMARK_CONFIG: file, ...environment }).settings;
}

const egress = { allowLoopback: true, allowedPrivateHosts: [] };
const local = { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' };
const paid = { name: 'paid', kind: 'openai', models: [{ name: 'm' }] };

test.each([
  ['no list', {}, 'expected array'],
  ['an unknown kind', [{ ...local, kind: 'other' }], '0.kind'],
  ['a field nobody knows', [{ ...local, url: 'x' }], '"url"'],
  ['a name with a slash', [{ ...local, name: 'a/b' }], 'lower-case letters'],
  ['the name of Proofmark', [{ ...local, name: 'proofmark' }], 'reserved by Proofmark'],
  ['two of one name', [local, local], 'local is named twice'],
  ['two models of one name', [{ ...local, models: [{ name: 'm' }, { name: 'm' }] }], 'm twice'],
  ['half a price', [{ ...local, models: [{ name: 'm', inputPerMillion: 1 }] }], 'both'],
  ['a negative price', [{ ...local, models: [{ name: 'm', inputPerMillion: -1 }] }], 'negative'],
  ['no address', [{ ...local, baseUrl: undefined }], 'local needs a baseUrl'],
  ['a password in the address', [{ ...local, baseUrl: 'http://a:b@c/' }], 'user name'],
  ['an address of no web', [{ ...local, baseUrl: 'file:///x' }], 'http or https'],
  ['paid models without a key', [paid], 'paid offers models'],
  ['two ways to a key', [{ ...paid, apiKey: 'k', apiKeyEnvironment: 'K' }], 'keep one'],
  ['no requests at all', [{ ...local, requestsAtOnce: 0 }], 'requestsAtOnce'],
])('%s is refused with a sentence that names it', (_, given, named) => {
  const read = () => modelProviders(given, 'modelProviders in x');
  expect(read).toThrow(BadSetting);
  expect(read).toThrow(named);
});

test('a key comes from the environment variable that is named, and is shown nowhere', () => {
  const settings = settingsWith([{ ...paid, apiKeyEnvironment: 'PAID_KEY' }], { PAID_KEY: ' k1 ' });
  expect(settings.modelProviders).toEqual([{ ...paid, apiKey: 'k1', keyVariable: 'PAID_KEY' }]);
  expect(settingRows.modelProviders.secret).toBe(true);
});

test('a key that is not set stops only what needs it', () => {
  const settings = settingsWith([{ ...paid, apiKeyEnvironment: 'PAID_KEY' }]);
  const start = () => createModels(settings, egress);
  expect(start).toThrow(BadSetting);
  expect(start).toThrow('paid takes its key from PAID_KEY, which is not set.');
});

test('what is configured is offered, beside the providers that need no configuration', async () => {
  const settings = settingsWith([
    { ...local, models: [{ name: 'vendor/m', inputPerMillion: 0, outputPerMillion: 0.5 }] },
    { name: 'anthropic', kind: 'anthropic', baseUrl: 'https://proxy.example/v1' },
  ]);
  const models = createModels(settings, egress);
  expect(models.offer.hosted.map(({ id }) => id)).toEqual([
    'proofmark/lexical-1',
    'local/vendor/m',
  ]);
  expect([...models.offer.providers].sort()).toEqual([
    'anthropic',
    'google',
    'local',
    'openai',
    'openrouter',
  ]);
  await models.close();
});
