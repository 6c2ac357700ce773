import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { writeScorerRequest } from '@proofmark/domain';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScorerGateway } from './scorer-gateway.ts';
import { signatureHeader, signRequest } from './sign-request.ts';

const secret = 'scs_of-the-guide';
const guide = new URL('../../../../../docs/guides/assertions.md', import.meta.url);
const example = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(readFileSync(guide, 'utf8'))?.[1];
const folder = temporaryDirectory();
let scorer: ChildProcessByStdio<null, Readable, null>;
let url: string;
beforeAll(async () => {
  const [file, portFile] = ['scorer.mjs', 'tell-port.mjs'].map((name) =>
    path.join(folder.path, name),
  );
  writeFileSync(String(file), example ?? '');
  writeFileSync(String(portFile), portFileText);
  const env = { PATH: process.env['PATH'], PORT: '0', SCORER_SECRET: secret };
  const args = ['--import', String(portFile), String(file)];
  scorer = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(scorer.stdout, 'data');
  url = `http://127.0.0.1:${String(port).trim()}/`;
});
afterAll(() => {
  scorer.kill();
  folder.remove();
});

const portFileText = `
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...given) {
    this.once('listening', () => console.log(this.address().port));
    return listen.apply(this, given);
  };`;

test('has about fifteen lines', () => {
  expect(example?.trim().split('\n').length).toBeLessThanOrEqual(17);
});

test.each([
  ['It costs 12 euro.', 1],
  ['I do not know.', 0],
])('scores %s', async (content, score) => {
  expect(await ask(secret, content)).toEqual({ score, reason: expect.any(String) });
});

test('refuses what another secret signed, an old request, and one that is not signed', async () => {
  const refused = { problem: 'The scorer refuses the request (HTTP 401).' };
  expect(await ask('scs_of-somebody-else', 'It costs 12 euro.')).toEqual(refused);
  const old = () => Date.now() - 3_600_000;
  expect(await ask(secret, 'It costs 12 euro.', old)).toEqual(refused);
  for (const signature of [undefined, 't=1,v1=00', signRequest(secret, '{}', Date.now())]) {
    const headers = signature === undefined ? {} : { [signatureHeader]: signature };
    const answer = await fetch(url, { method: 'POST', headers, body: '{"messages":[]}' });
    expect(answer.status).toBe(401);
  }
});

async function ask(signedWith: string, content: string, now = () => Date.now()) {
  const gateway = createScorerGateway({ allowLoopback: true, allowedPrivateHosts: [] }, { now });
  const body = writeScorerRequest({
    caseId: 'price',
    title: 'Asks for a price',
    toolCalls: [],
    messages: [
      { role: 'user', content: 'What does it cost?' },
      { role: 'assistant', content },
    ],
    metadata: { threshold: 1, iterationNumber: 1 },
  });
  const call = { url, body: body ?? '', secret: signedWith, timeoutMs: 10_000 };
  return gateway.ask(call, new AbortController().signal);
}
