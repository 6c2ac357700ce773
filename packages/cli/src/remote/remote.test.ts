import { ApiError, ConnectionError } from '@proofmark/client';
import { warnOfModels } from '@proofmark/domain';
import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { readTrialsPerCase } from '../commands/eval/run.ts';
import { readPair } from './bind-servers.ts';
import { namedOne, usualProject } from './choose-project.ts';
import { type Connection, readCredentials, sentenceOf } from './connection.ts';
import { UsageProblem } from './exit-codes.ts';
import { findingLines } from './finding-lines.ts';
import { followRun, progressSentence } from './follow-run.ts';
import { errorWithKeyFlag, missesGivenKey, readModelKeys } from './model-keys.ts';
import { terminalAbility } from './terminal.ts';
import { warningText } from './warning-text.ts';

describe('whom a command asks', () => {
  const key = { PROOFMARK_API_KEY: 'sk_1' };

  test('is this machine unless said otherwise, and a flag wins over the environment', () => {
    const environment = { ...key, PROOFMARK_URL: 'https://b.example/', PROOFMARK_PROJECT: 'B' };
    expect(readCredentials({}, key)).toEqual({
      url: 'http://127.0.0.1:3300',
      apiKey: 'sk_1',
      keyFrom: 'environment',
      project: undefined,
      keptProject: undefined,
    });
    expect(readCredentials({}, environment)).toMatchObject({
      url: 'https://b.example',
      project: 'B',
    });
    expect(readCredentials({ url: 'http://c.example', project: 'C' }, environment)).toMatchObject({
      url: 'http://c.example',
      project: 'C',
    });
  });

  test.each(['ftp://a.example', 'a.example', 'http://me:secret@a.example', ''])(
    'is not %j',
    (url) => {
      expect(() => readCredentials({ url }, key)).toThrow(UsageProblem);
    },
  );

  test('is asked with a key, and a wrong one is never repeated', () => {
    expect(() => readCredentials({}, {})).toThrow('No service runs in this folder');
    // The key is empty, as in a CI job without access to secrets.
    const keyless = { PROOFMARK_URL: 'https://p.example', PROOFMARK_API_KEY: '' };
    expect(() => readCredentials({}, keyless)).toThrow(/^Run .*PROOFMARK_API_KEY.*p\.example/);
    try {
      readCredentials({}, { PROOFMARK_API_KEY: 'sk_one\nsk_two' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UsageProblem);
      expect(sentenceOf(error)).not.toContain('sk_');
    }
  });
});

describe('the project', () => {
  const one = { id: 'prj_1', name: 'One' };
  const usual = { id: 'prj_2', name: 'Default' };

  test('is the only one, else the one called Default', () => {
    expect(usualProject([one])).toBe(one);
    expect(usualProject([one, usual])).toBe(usual);
  });

  test('has to be named when there is a choice, and the choice is shown', () => {
    expect(() => usualProject([one, { id: 'prj_3', name: 'Three' }])).toThrow(
      'Name the project with --project or PROOFMARK_PROJECT: One (prj_1), Three (prj_3).',
    );
    expect(() => usualProject([usual, { ...usual, id: 'prj_4' }])).toThrow(UsageProblem);
    expect(() => usualProject([])).toThrow('no project');
  });

  test('is found by id before name; a name that two have is not guessed at', () => {
    const misleading = { id: 'prj_5', name: 'prj_1' };
    expect(namedOne([misleading, one], 'prj_1', 'project')).toBe(one);
    expect(namedOne([one, usual], 'Default', 'project')).toBe(usual);
    expect(() => namedOne([one], 'Two', 'project')).toThrow('There is no project "Two"');
    expect(() => namedOne([one, { ...one, id: 'prj_6' }], 'One', 'project')).toThrow(UsageProblem);
  });
});

describe('what is printed', () => {
  test('holds signs beyond ASCII only where the locale prints them', () => {
    expect(terminalAbility({ LANG: 'en_US.UTF-8' }, 200)).toEqual({ ascii: false, width: 80 });
    expect(terminalAbility({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 60)).toEqual({
      ascii: true,
      width: 60,
    });
    expect(terminalAbility({ LC_CTYPE: 'C.utf8', TERM: 'dumb' }, 9).ascii).toBe(true);
    for (const unknown of [undefined, 0]) {
      expect(terminalAbility({}, unknown)).toEqual({ ascii: true, width: 80 });
    }
  });

  test('says how far a run is, with its unit', () => {
    const at = (iterationCount: number, expectedIterations: number | null) =>
      progressSentence({ status: 'running', iterationCount, expectedIterations });
    expect(at(1, null)).toBe('1 trial done.');
    expect(at(1200, 4000)).toBe('1,200 of 4,000 trials done.');
    expect(progressSentence({ status: 'pending', iterationCount: 0, expectedIterations: 1 })).toBe(
      'waiting for a worker.',
    );
  });

  test('is one sentence when the service refuses or is not there', () => {
    const refused = new ApiError(
      401,
      { code: 'UNAUTHORIZED', message: 'The key is\nnot known.' },
      undefined,
    );
    expect(sentenceOf(refused, { PROOFMARK_API_KEY: 'sk_1' })).toBe(
      'The service rejected the key in PROOFMARK_API_KEY: The key is not known. Set another key, or unset the variable and run `proofmark login`.',
    );
    expect(sentenceOf(refused, {})).toBe(
      'The service rejected the key: The key is not known. Give another with `proofmark login`.',
    );
    expect(sentenceOf(new ConnectionError('http://127.0.0.1:1/api', undefined))).toContain(
      'Could not reach http://127.0.0.1:1.',
    );
  });
});

describe('a service that goes away while a run is waited for', () => {
  const following = async (answers: readonly unknown[], missMs?: number) => {
    const left = [...answers];
    const getEvalRun = async () => {
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const sentences: string[] = [];
    const connection = { client: { getEvalRun }, projectId: 'prj_1' } as unknown as Connection;
    const ended = await followRun(connection, 'run_1', (one) => sentences.push(one), {
      ...(missMs !== undefined && { missMs }),
    });
    return { ended, sentences };
  };
  const away = new ConnectionError('http://127.0.0.1:1/api', undefined);
  const starting = new ApiError(503, {}, undefined);
  const completed = { status: 'completed' };

  test('is asked again, with one notice', async () => {
    const { ended, sentences } = await following([away, starting, completed]);
    expect(ended).toBe(completed);
    expect(sentences).toEqual([expect.stringContaining('cannot be reached; trying again')]);
  });

  test('is left in the end, and the run told to go on, with how to read it', async () => {
    const { ended, sentences } = await following([away], 1);
    expect(ended).toBeUndefined();
    expect(sentences.join(' ')).toMatch(
      /run_1 continues; .* read it: proofmark eval decision run_1/,
    );
  });

  test('is not one that refuses', async () => {
    const refused = new ApiError(404, { code: 'NOT_FOUND', message: 'No.' }, undefined);
    await expect(following([refused])).rejects.toBe(refused);
  });
});

test('iterations are a number from 1 to 100', () => {
  expect([readTrialsPerCase('1'), readTrialsPerCase('100')]).toEqual([1, 100]);
  for (const text of ['0', '101', '1000', '01', '1.5', '-1', 'many', '']) {
    expect(() => readTrialsPerCase(text)).toThrow(InvalidArgumentError);
  }
});

describe('keys of model providers', () => {
  const environment = { KEY_ONE: ' sk-one ', EMPTY: '' };

  test('are read from the variables that are named', () => {
    expect(readModelKeys(['openai=KEY_ONE', 'my.own-1=KEY_ONE'], environment)).toEqual({
      openai: 'sk-one',
      'my.own-1': 'sk-one',
    });
    expect(readModelKeys([], environment)).toEqual({});
  });

  test('a warning that misses a key is not told where the key is given', () => {
    const offer = { hosted: [], providers: ['openai', 'anthropic'] };
    const warnings = warnOfModels({ path: 'model', model: 'openai/small' }, [], offer);
    const [warning] = warnings;
    if (warning === undefined) throw new Error('There is no warning.');
    expect(missesGivenKey(warning, { openai: 'key' })).toBe(true);
    expect(missesGivenKey(warning, { anthropic: 'key' })).toBe(false);
    expect(missesGivenKey(warning, {})).toBe(false);
    const unknown = warnOfModels({ path: 'model', model: 'opnai/small' }, [], offer);
    expect(unknown.some((one) => missesGivenKey(one, { openai: 'key' }))).toBe(false);
  });

  test('a missing key is told in the words of the command, not of the API', () => {
    const offer = { hosted: [], providers: ['open.ai'] };
    const [warning] = warnOfModels({ path: 'model', model: 'open.ai/small' }, [], offer);
    if (warning === undefined) throw new Error('There is no warning.');
    const { message } = warning;
    const inFlag =
      'There is no key for the model "open.ai/small"; name the environment variable with the key, as in --model-key open.ai=OPEN_AI_API_KEY, ask the operator to configure open.ai, or choose another.';
    expect(warningText(warning)).toBe(`warning: ${inFlag}\n  at model`);
    const details = { reason: 'MODEL_NOT_AVAILABLE' };
    const body = { code: 'VALIDATION_ERROR' as const, message, details };
    const error = new ApiError(400, body, undefined);
    expect(errorWithKeyFlag(error)).toEqual(new UsageProblem(inFlag));
    expect(sentenceOf(error)).toBe(
      'There is no key for the model "open.ai/small"; ask the operator to configure open.ai, or choose another.',
    );
    const other = new Error('Other');
    expect(errorWithKeyFlag(other)).toBe(other);
  });

  test.each([
    'openai=sk-secret-4711',
    'openai=sk_secret_4711',
    'sk-secret-4711',
    'openai=EMPTY',
    '=X',
  ])('are never taken from the command line, nor repeated: %s', (flag) => {
    try {
      readModelKeys([flag], environment);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UsageProblem);
      expect(sentenceOf(error)).not.toContain('secret');
    }
  });
});

test('a server is bound by the name in the file and the saved one', () => {
  expect(readPair('Weather = Sample bookshop')).toEqual(['Weather', 'Sample bookshop']);
  for (const flag of ['Weather', '=srv_1', 'Weather=', '']) {
    expect(() => readPair(flag)).toThrow(UsageProblem);
  }
});

test('what is wrong with a file is told in the order of its lines, and no line is too long', () => {
  const finding = (message: string) => ({ path: 'a', code: 'SUITE_FILE_INVALID', message });
  const refusal = (findings: object[]) =>
    new ApiError(400, { code: 'VALIDATION_ERROR', message: 'x', details: { findings } }, undefined);
  const given = [
    'Line 12, column 1: b.',
    'Line 3, column 10: a\n is wrong.',
    'Line 3, column 9: c.',
  ];
  expect(findingLines(refusal(given.map(finding)), 20)).toEqual({
    amount: 3,
    lines: [
      'Line 3, column 9: c.',
      'Line 3, column 10: a',
      '  is wrong.',
      'Line 12, column 1:',
      '  b.',
    ],
  });
  const many = Array.from({ length: 22 }, (_, at) => finding(`Line ${at}, column 1: x.`));
  expect(findingLines(refusal(many), 80).lines.at(-1)).toBe('and 2 more.');
  expect(findingLines(new Error('Line 1'), 80)).toEqual({ amount: 0, lines: [] });
});
