import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callCommands, quoted, traceCommands } from './as-commands.ts';

const at = { origin: 'http://127.0.0.1:3300', projectId: 'prj_1' };

test('a trace is read by a command and by curl', () => {
  const { command, curl } = traceCommands({ ...at, runId: 'run_1', trialId: 'itr_1' });
  expect(command).toBe('proofmark eval trace run_1 itr_1');
  expect(curl).toBe(
    'curl http://127.0.0.1:3300/api/v1/projects/prj_1/eval-runs/run_1/iterations/itr_1/trace \\\n  -H "Authorization: Bearer $PROOFMARK_API_KEY"',
  );
});

test('a call is made again with its arguments, where its server is known', () => {
  const call = { ...at, serverName: 'My shop', toolName: 'count', input: { item: "pen's" } };
  const commands = callCommands({ ...call, serverId: 'srv_1' });
  expect(commands?.command).toBe(`proofmark call 'My shop' count --args '{"item":"pen'\\''s"}'`);
  expect(commands?.curl).toContain('/servers/srv_1/tools/call');
  expect(callCommands({ ...call, serverId: undefined })).toBeUndefined();
});

test('a shell reads back every text as it was, and runs none of it', () => {
  const words = fc.sample(fc.string({ unit: 'grapheme', maxLength: 30 }), 40);
  const given = ['$(touch x)', '`id`', "'; id #", '-rf', '', ...words].map((text) =>
    text.replaceAll('\0', ''),
  );
  const script = given.map((text) => `printf '%s\\0' ${quoted(text)}`).join('\n');
  const read = execFileSync('/bin/sh', { input: script }).toString().split('\0').slice(0, -1);
  expect(read).toEqual(given);
});
