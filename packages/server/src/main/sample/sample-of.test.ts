import { expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { resolveSettings } from '../settings.ts';
import { sampleOf } from './sample-of.ts';

const untouched = new Proxy({} as Database, {
  get(_, name) {
    throw new Error(`The database was asked for ${String(name)}.`);
  },
});
const onLoopback = { address: '127.0.0.1', loopback: true };
const beyond = { address: '192.0.2.7', loopback: false };

test.each([
  ['where it is switched off', { sample: false }, onLoopback, 0],
  ['on a database of its own', { databaseUrl: 'postgres://db.example/a' }, onLoopback, 0],
  ['where others reach the service, which is said', {}, beyond, 1],
])('there is no sample %s', async (_, flags, bind, sentences) => {
  const printed: string[] = [];
  const { settings } = resolveSettings(flags, {});
  const say = (sentence: string) => printed.push(sentence);
  const sample = await sampleOf(settings, bind, untouched, say, undefined);
  expect(printed).toHaveLength(sentences);
  const log = { info: fail, warn: fail, error: fail };
  expect(await sample.report({ log, database: untouched, models: {} as never })).toBeUndefined();
  await sample.stop();
});

function fail(): never {
  throw new Error('Nothing is to be logged.');
}
