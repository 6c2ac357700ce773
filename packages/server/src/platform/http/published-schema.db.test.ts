import { publishedSchema, publishedSchemaNames, schemasPath } from '@proofmark/contract';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test.each(publishedSchemaNames)(
  '%s is read without a key, at the path it names itself by',
  async (name) => {
    const answer = await call(`${service.baseUrl}${schemasPath}/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/schema+json');
    const schema = JSON.parse(answer.text);
    expect(schema).toEqual(publishedSchema(name));
    expect(schema.$id).toBe(`/api/v1/schemas/${name}`);
  },
);

test.each(['nothing.json', 'eval-run-decision-summary.v2.json', '__proto__', 'toString', ''])(
  'there is no schema %j',
  async (name) => {
    const answer = await call(`${service.baseUrl}${schemasPath}/${name}`);
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe('NOT_FOUND');
  },
);
