import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../journeys/send-raw.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'log');
});
afterAll(() => service.stop());

const forged = '{"level":"error","service":"proofmark","msg":"forged"}';
const hostile = [
  `name\n${forged}\n`,
  `name\r\n${forged}\r\n`,
  `\u001b[2J\u001b[31mred${forged}`,
  `\u009b31m${forged}`,
  `\u2028${forged}\u2029`,
  `"},${forged},{"a":"`,
  `${'\b'.repeat(40)}${forged}`,
];

test('names, paths, queries and headers with line ends and escapes forge no line', async () => {
  const { baseUrl } = service;
  const created = `${baseUrl}/api/v1/projects`;
  for (const text of hostile) {
    const encoded = encodeURIComponent(text);
    await call(created, { method: 'POST', key: tenant.key, body: { name: text } });
    await call(created, { method: 'POST', key: tenant.key, body: { [text]: 1 } });
    await call(`${created}/${encoded}/servers`, { key: tenant.key });
    await call(`${created}?organizationId=${encoded}`, { key: tenant.key });
    await call(`${baseUrl}/api/v1/${encoded}`, { key: tenant.key });
    await call(`${baseUrl}/console/v1/session`, {
      method: 'POST',
      headers: { origin: baseUrl },
      body: { email: text, password: text },
    });
    await sendRaw(
      baseUrl,
      `GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${Buffer.from(text)
        .toString('latin1')
        .replace(/[\r\n]/g, '')}\r\nConnection: close\r\n\r\n`,
    );
  }
  // An internal failure is logged with its message, which must not form additional lines either.
  const failing = Object.assign(new Error(`boom\n${forged}\u001b[31m\u009b31m\u2028`), {
    code: 'X\nY',
  });
  const fail = () => {
    throw failing;
  };
  const broken = await service.another({
    database: { ...service.database, sql: fail as never },
  });
  await call(`${broken.baseUrl}/api/v1/me`, { key: tenant.key });
  await broken.stop();

  expect(service.logLines.length).toBeGreaterThan(hostile.length * 6);
  for (const line of service.logLines) {
    expect(line.endsWith('\n')).toBe(true);
    const text = line.slice(0, -1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(text).not.toMatch(/[\u0000-\u001f\u007f\u009b\u2028\u2029]/);
    expect(JSON.parse(text).msg).toMatch(/^(request|request failed)$/);
  }
});
