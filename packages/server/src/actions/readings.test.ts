import { expect, test } from 'vitest';
import { PreparedJson, Readings } from './readings.ts';

const reading = (bytes: number) => new PreparedJson('x'.repeat(bytes - 2));

test('what was kept is found under its name as the same bytes', () => {
  const readings = new Readings();
  const kept = new PreparedJson({ a: 'ä' });
  readings.keep('one', kept);
  expect(readings.find('one')).toBe(kept);
  expect(new TextDecoder().decode(kept.bytes)).toBe('{"a":"ä"}');
  expect(readings.find('other')).toBeUndefined();
});

test('what nobody asked for longest makes room', () => {
  const readings = new Readings(4000);
  for (const name of ['a', 'b', 'c']) readings.keep(name, reading(1000));
  readings.find('a');
  readings.keep('d', reading(1000));
  expect(['a', 'b', 'c', 'd'].filter((name) => readings.find(name))).toEqual(['a', 'c', 'd']);
});

test('keeping one name again and again takes the room of one', () => {
  const readings = new Readings(4000);
  readings.keep('a', reading(1000));
  for (let time = 0; time < 100; time += 1) readings.keep('b', reading(1000));
  expect(readings.find('a')).toBeDefined();
});

test('what is larger than all the room is not kept', () => {
  const readings = new Readings(4000);
  readings.keep('a', reading(5000));
  expect(readings.find('a')).toBeUndefined();
});
