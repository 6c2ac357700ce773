import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTraceEvents, TraceEvent } from './trace-event.ts';

const event = {
  atMs: 5,
  kind: 'log',
  serverName: 'Weather',
  text: 'rain',
  data: { level: 'info' },
};

test('events are read as they are stored', () => {
  expect(readTraceEvents([event])).toEqual([event]);
});

test.each([
  ['no list', 'rain'],
  ['no time', [{ ...event, atMs: undefined }]],
  ['a time before the trial', [{ ...event, atMs: -1 }]],
  ['another kind', [{ ...event, kind: 'rumor' }]],
  ['no server', [{ ...event, serverName: 7 }]],
  ['no text', [{ ...event, text: null }]],
  ['no event', [null, 'rain', 7]],
])('%s is passed over', (_, events) => {
  expect(readTraceEvents(events)).toEqual([]);
});

test('whatever a reporter sends, what is read has the shape and keeps the bounds', () => {
  const any = fc.record({
    atMs: fc.oneof(fc.double(), fc.string()),
    kind: fc.constantFrom('log', 'stderr', 'rumor'),
    serverName: fc.oneof(fc.string(), fc.integer()),
    text: fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }),
    data: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(any, fc.jsonValue())), (events) => {
      for (const one of readTraceEvents(events)) expect(TraceEvent.parse(one)).toEqual(one);
    }),
  );
  expect(readTraceEvents(Array.from({ length: 600 }, () => event))).toHaveLength(500);
});
