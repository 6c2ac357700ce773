import { afterEach, expect, test, vi } from 'vitest';
import { announce } from './announce.ts';

afterEach(() => void vi.restoreAllMocks());

function outputOf(service: Parameters<typeof announce>[0]): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  announce(service);
  return write.mock.calls.map(([text]) => text).join('');
}

test('what the operator should know stands at the end, a sentence on each line', () => {
  const url = 'http://127.0.0.1:3300';
  expect(outputOf({ url, notice: 'It is open. Close it.' })).toMatch(
    /\n\nIt is open\.\nClose it\.\n$/,
  );
});
