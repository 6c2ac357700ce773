import { connect, type Socket } from 'node:net';
import { largestArtifactBytes } from '@proofmark/contract';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { expireArtifact, type Minted, mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../../../../../tests/journeys/send-raw.ts';
import { housekeeping } from '../../../../main/worker/housekeeping.ts';
import { findArtifact, openContent } from '../../store/reported/artifacts.ts';

const report = '<testsuite><testcase classname="a" name="b" time="0.5"/></testsuite>';
const minuteMs = 60_000;
let service: TestService;
let mine: Tenant;
let theirs: Tenant;
const tokens: string[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => service.stop());

async function mint(body: object = {}, tenant = mine): Promise<Minted> {
  const minted = await mintUpload(service, tenant, body);
  tokens.push(minted.uploadUrl.split('.').at(-1) ?? '');
  return minted;
}

async function stored(artifactId: string) {
  const [row] = await service.owner.sql<{ used: boolean; empty: boolean; expiresAt: Date }[]>`
    select uploaded_at is not null as used, content is null as empty, expires_at
    from artifacts where id = ${artifactId}`;
  return row;
}

async function keptContent(artifactId: string): Promise<Buffer> {
  const artifact = await service.database.tenant([mine.organizationId], (sql) =>
    findArtifact(sql, mine.projectId, artifactId),
  );
  return openContent(artifact?.content ?? Buffer.alloc(0));
}

const untouched = { used: false, empty: true };

/**
 * Starts an upload that stays unfinished until its socket closes. Resolves when `part` has been
 * sent.
 */
function begin(url: string, lengthBytes: number, part: Buffer): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${lengthBytes}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    socket.on('error', reject);
    socket.write(head);
    socket.write(part, () => resolve(socket));
  });
}

describe('the URL', () => {
  test('is absolute, is for fifteen minutes, and names the artifact the upload answers with', async () => {
    const minted = await mint();
    expect(minted.uploadUrl.startsWith(`${service.baseUrl}/uploads/`)).toBe(true);
    const leftMs = minted.expiresAt - Date.now();
    expect(leftMs).toBeGreaterThan(14 * minuteMs);
    expect(leftMs).toBeLessThan(16 * minuteMs);
    expect(await sendFile(minted.uploadUrl, report)).toEqual({
      status: 200,
      body: { storageId: minted.artifactId },
    });
    const keptMs = ((await stored(minted.artifactId))?.expiresAt.getTime() ?? 0) - Date.now();
    expect(keptMs).toBeGreaterThan(23 * 60 * minuteMs);
    expect(keptMs).toBeLessThan(25 * 60 * minuteMs);
  });

  test('starts with the public address where there is one', async () => {
    const published = await service.another({ publicUrl: 'https://proofmark.example' });
    try {
      const path = '/api/v1/projects/default/eval-ingest/artifacts/upload-url';
      const request = { method: 'POST', key: mine.key, body: {} };
      const answer = await call(published.baseUrl + path, request);
      expect(answer.body.uploadUrl).toMatch(/^https:\/\/proofmark\.example\/uploads\/org_/);
    } finally {
      await published.stop();
    }
  });

  test('takes PUT as well, and cookies and keys change nothing', async () => {
    const { uploadUrl } = await mint();
    const headers = { cookie: 'proofmark_session=x', authorization: 'Bearer sk_wrong' };
    expect((await sendFile(uploadUrl, report, { method: 'PUT', headers })).status).toBe(200);
  });

  test('works once', async () => {
    const { uploadUrl, artifactId } = await mint();
    await sendFile(uploadUrl, report);
    const large = Buffer.alloc(20_000_000, 'x');
    expect(await sendFile(uploadUrl, large)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect((await keptContent(artifactId)).toString()).toBe(report);
  });

  test('of ten uploads at the same moment one is taken', async () => {
    const { uploadUrl } = await mint();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendFile(uploadUrl, report)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('says so when it has expired, and keeps nothing', async () => {
    const { uploadUrl, artifactId } = await mint();
    await expireArtifact(service, artifactId);
    const answer = await sendFile(uploadUrl, report);
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(answer.body['message']).toContain('expired');
    expect(await stored(artifactId)).toMatchObject(untouched);
  });

  test('altered anywhere is not found, and nobody asks the database', async () => {
    const { uploadUrl, artifactId } = await mint();
    const other = await mint({}, theirs);
    const asked = { times: 0 };
    const counting = await service.another({
      database: {
        ...service.database,
        tenant: () => {
          asked.times += 1;
          throw new Error('asked');
        },
      },
    });
    try {
      const path = new URL(uploadUrl).pathname;
      const foreign = new URL(other.uploadUrl).pathname;
      const signature = path.split('.').at(-1) ?? '';
      const altered = [
        '/uploads/x',
        '/uploads/...',
        path.slice(0, -1),
        `${path}.x`,
        path.replace(mine.organizationId, theirs.organizationId),
        path.replace(mine.projectId, theirs.projectId),
        path.replace(artifactId, other.artifactId),
        path.replace(signature, foreign.split('.').at(-1) ?? ''),
        path.replace(signature, service.vault.sign('csrf', path.slice(9, -signature.length - 1))),
      ];
      for (const wrong of altered) {
        expect(wrong).not.toBe(path);
        const answer = await sendFile(counting.baseUrl + wrong, report);
        expect(answer, wrong).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      }
      expect(asked.times).toBe(0);
      expect((await sendFile(counting.baseUrl + path, report)).status).toBe(500);
      expect(asked.times).toBe(1);
    } finally {
      await counting.stop();
    }
  });

  test('is refused a content type that is none', async () => {
    const url = `${service.baseUrl}/api/v1/projects/default/eval-ingest/artifacts/upload-url`;
    const request = { method: 'POST', key: mine.key, body: { contentType: 'a\u0000' } };
    expect(await call(url, request)).toMatchObject({
      status: 400,
      body: { details: { path: 'body.contentType' } },
    });
  });

  test('is in no line of the log', async () => {
    const { uploadUrl } = await mint();
    await sendFile(uploadUrl, report);
    await sendFile(`${uploadUrl}x`, report);
    const log = service.logLines.join('');
    expect(log).toContain('"operationId":"uploadArtifact"');
    for (const token of tokens) expect(log).not.toContain(token);
  });
});

describe('the size', () => {
  test.each([
    ['shorter', report.slice(1), { sizeBytes: report.length }],
    ['longer', `${report} `, { limitBytes: report.length }],
  ])(
    'a file %s than stated is refused, and the right one is still taken',
    async (_, file, expectedDetails) => {
      const { uploadUrl, artifactId } = await mint({ sizeBytes: report.length });
      expect(await sendFile(uploadUrl, file)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: expectedDetails },
      });
      expect(await stored(artifactId)).toMatchObject(untouched);
      expect((await sendFile(uploadUrl, report)).status).toBe(200);
    },
  );

  test('counts when nobody says how long the file is', async () => {
    const { uploadUrl, artifactId } = await mint({ sizeBytes: 10 });
    const head = `POST ${new URL(uploadUrl).pathname} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { text } = await sendRaw(service.baseUrl, `${head}b\r\n<testsuite>\r\n0\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"limitBytes":10');
    expect(await stored(artifactId)).toMatchObject(untouched);
  });

  test('is at most the largest when it is not stated; exactly that is taken', async () => {
    const { uploadUrl, artifactId } = await mint();
    const largest = Buffer.alloc(largestArtifactBytes, ' ');
    largest.write(report, 0);
    expect(await sendFile(uploadUrl, Buffer.concat([largest, Buffer.from(' ')]))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { limitBytes: largestArtifactBytes } },
    });
    expect(await stored(artifactId)).toMatchObject(untouched);
    expect((await sendFile(uploadUrl, largest)).status).toBe(200);
    expect((await keptContent(artifactId)).equals(largest)).toBe(true);
  });

  test.each([
    ['nothing at all', '', {}],
    ['a form', report, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['something compressed', report, { 'content-encoding': 'gzip' }],
  ])('%s is refused and leaves the URL usable', async (_, file, headers) => {
    const { uploadUrl } = await mint();
    const answer = await sendFile(uploadUrl, file, { headers });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect((await sendFile(uploadUrl, report)).status).toBe(200);
  });
});

describe('uploads that do not end', () => {
  test('write nothing when they break off, and leave the URL usable', async () => {
    const { uploadUrl, artifactId } = await mint();
    const refusals = () =>
      service.logLines.filter((line) => /"uploadArtifact".*"status":400/.test(line)).length;
    const before = refusals();
    for (const bytes of [0, 1, report.length - 1]) {
      const part = Buffer.from(report).subarray(0, bytes);
      (await begin(uploadUrl, report.length, part)).destroy();
    }
    await until(() => refusals() === before + 3, 'three uploads were refused');
    expect(await stored(artifactId)).toMatchObject(untouched);
    expect((await sendFile(uploadUrl, report)).status).toBe(200);
  });

  test('are four at most; the fifth waits until one of them is over', async () => {
    // The part is larger than the system's socket buffers, so the service must have read some.
    const part = Buffer.alloc(20_000_000, ' ');
    const held = [];
    for (let count = 0; count < 4; count += 1) {
      held.push(await begin((await mint()).uploadUrl, part.length + 1, part));
    }
    const { uploadUrl } = await mint();
    let answered = false;
    const fifth = sendFile(uploadUrl, report).finally(() => {
      answered = true;
    });
    for (let count = 0; count < 50; count += 1) await call(`${service.baseUrl}/readyz`);
    expect(answered).toBe(false);
    held[0]?.destroy();
    expect((await fifth).status).toBe(200);
  });
});

async function filled(): Promise<Minted> {
  const minted = await mint();
  await sendFile(minted.uploadUrl, report);
  return minted;
}

test('housekeeping deletes what has expired, of every organization, and nothing else', async () => {
  const ended = [await mint(), await filled(), await mint({}, theirs)];
  for (const { artifactId } of ended) await expireArtifact(service, artifactId);
  const alive = [await mint(), await filled()];
  expect((await housekeeping(service.database)).expiredArtifacts).toBeGreaterThanOrEqual(3);
  for (const { artifactId } of ended) expect(await stored(artifactId)).toBeUndefined();
  for (const { artifactId } of alive) expect(await stored(artifactId)).toBeDefined();
  const [first] = ended;
  expect((await sendFile(first?.uploadUrl ?? '', report)).status).toBe(404);
});
