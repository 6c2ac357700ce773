import { called, calledWith, calls, contains, promptCase, sunny } from '../cases.ts';
import { failed, passed } from '../expectations.ts';
import { everything, fastmcp, modern } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
import { filesFolder, stdio } from '../servers/stdio-servers.ts';
import type { ExpectedTrial, RunSituation, ServerStart, Theme } from '../situation.ts';

const whole = passed({
  rows: {
    connection: 'observed',
    discovery: 'observed',
    selection: 'observed',
    call: 'observed',
    response: 'observed',
  },
});

function scripted(
  what: string,
  A: ServerStart,
  [tool, input]: readonly [string, object],
  needle: string,
  trial: ExpectedTrial = whole,
): RunSituation {
  return {
    name: what,
    servers: { A },
    cases: [
      promptCase(
        'Please do it.',
        [called(tool), contains(needle)],
        [calls([tool, input]), { echo: true }],
      ),
    ],
    expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
  };
}

function asked(what: string, A: ServerStart, prompt: string, assertion: object): RunSituation {
  const steps = [
    { id: 'ask', kind: 'prompt', prompt },
    { id: 'check', kind: 'assert', assertion },
  ];
  return {
    name: what,
    servers: { A },
    cases: [{ title: 'Asked', steps }],
    expected: { verdict: 'passed', trials: [whole] },
  };
}

const toolError = failed('response', 'toolError', 'serverData');
const mismatch = failed('call', 'argumentMismatch', 'arguments');
const ada = {
  entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }],
};
const thought = {
  thought: 'Tea first.',
  nextThoughtNeeded: false,
  thoughtNumber: 1,
  totalThoughts: 1,
};

export const real: Theme = {
  theme: 'real servers',
  situations: [
    scripted(
      'server-everything over Streamable HTTP',
      everything(),
      ['get-sum', { a: 2, b: 3 }],
      'is 5',
    ),
    scripted('server-everything over SSE', everything('sse'), ['get-sum', { a: 2, b: 3 }], 'is 5'),
    scripted(
      'server-everything over standard input and output',
      stdio('everything'),
      ['get-sum', { a: 2, b: 3 }],
      'is 5',
    ),
    scripted('server-memory', stdio('memory'), ['create_entities', ada], 'Ada'),
    scripted(
      'server-memory and an entity without a type',
      stdio('memory'),
      ['create_entities', { entities: [{ name: 'Bob' }] }],
      'Bob',
      mismatch,
    ),
    scripted(
      'server-filesystem',
      stdio('filesystem'),
      ['read_text_file', { path: `${filesFolder}/notes.txt` }],
      'Water the plants',
    ),
    scripted(
      'server-filesystem and a file outside',
      stdio('filesystem'),
      ['read_text_file', { path: '/etc/hostname' }],
      'x',
      toolError,
    ),
    scripted(
      'server-filesystem and a file that is not there',
      stdio('filesystem'),
      ['read_text_file', { path: `${filesFolder}/none.txt` }],
      'x',
      toolError,
    ),
    scripted(
      'server-filesystem and no path at all',
      stdio('filesystem'),
      ['read_text_file', {}],
      'x',
      mismatch,
    ),
    scripted(
      'server-sequential-thinking',
      stdio('sequential-thinking'),
      ['sequentialthinking', thought],
      'thoughtNumber',
    ),
    scripted(
      'server-sequential-thinking and no thought',
      stdio('sequential-thinking'),
      ['sequentialthinking', { ...thought, thought: undefined }],
      'x',
      mismatch,
    ),
    scripted('a FastMCP server', fastmcp(), ['weather', { city: 'Rome' }], 'sunny in Rome'),
    scripted('a server of the 1.x SDK', sdk(), ['weather', { city: 'Rome' }], 'sunny in Rome'),
    scripted(
      'a server of the 1.x SDK over SSE',
      sdk('sse'),
      ['weather', { city: 'Rome' }],
      'sunny in Rome',
    ),
    scripted('a server of the newest protocol', modern(), ['echo', { text: 'hello' }], 'hello'),
    {
      name: 'two real servers in one run',
      servers: { A: everything(), B: sdk() },
      cases: [
        promptCase(
          'Both, please.',
          [called('get-sum'), called('weather')],
          [calls(['get-sum', { a: 2, b: 3 }]), calls(['weather', { city: 'Rome' }]), sunny],
        ),
      ],
      expected: { verdict: 'passed', trials: [whole] },
    },
    asked(
      'the free model adds two numbers',
      everything(),
      'What is the sum of 17 and 25?',
      calledWith('get-sum', { a: 17, b: 25 }),
    ),
    asked(
      'the free model asks for the weather',
      sdk(),
      'What is the weather in Oslo?',
      calledWith('weather', { city: 'Oslo' }),
    ),
    asked(
      'the free model asks a FastMCP server',
      fastmcp(),
      'What is the weather in Oslo?',
      calledWith('weather', { city: 'Oslo' }),
    ),
    asked(
      'the free model reads a graph',
      stdio('memory'),
      'Read the entire knowledge graph.',
      called('read_graph'),
    ),
    asked(
      'the free model lists a folder',
      stdio('filesystem'),
      `List the files in the directory ${filesFolder}`,
      calledWith('list_directory', { path: filesFolder }),
    ),
    asked(
      'the free model fills two paths',
      stdio('filesystem'),
      `Move the file ${filesFolder}/list.txt to ${filesFolder}/moved.txt`,
      calledWith('move_file', {
        source: `${filesFolder}/list.txt`,
        destination: `${filesFolder}/moved.txt`,
      }),
    ),
    {
      name: 'the free model calls nothing where nothing is wanted',
      servers: { A: sdk() },
      cases: [
        {
          title: 'Hello',
          steps: [{ id: 'ask', kind: 'prompt', prompt: 'Good morning!' }],
          isNegativeTest: true,
        },
      ],
      expected: { verdict: 'passed', trials: [passed({ rows: { call: 'observed' } })] },
    },
  ],
};
