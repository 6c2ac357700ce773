/**
 * Reads a call as a person writes it in a suite file: `tool`, `tool(name: value, …)`, a map
 * `tool: { name: value }`, or `{ server, tool, arguments }`.
 */
import { isRecord, type Json } from '../../kernel/json.ts';

export interface WrittenCall {
  readonly tool: string;
  /** Set only if the file names the server. */
  readonly server?: string;
  readonly arguments: Json;
}

/**
 * Parses the text between the parentheses of a call as YAML flow values. This package has no YAML
 * parser, so the caller supplies one.
 */
export type ReadArguments = (
  text: string,
) => { readonly arguments: Json } | { readonly problem: string };

type ReadCall = { readonly call: WrittenCall } | { readonly problem: string };

export function readCall(written: unknown, readArguments: ReadArguments): ReadCall {
  if (typeof written === 'string') return readText(written.trim(), readArguments);
  if (!isRecord(written)) return { problem: `A call is ${callForms}.` };
  const isFull = typeof written['tool'] === 'string' || Object.keys(written).length > 1;
  if (isFull && 'tool' in written) return readFull(written);
  return readMap(written);
}

export function readTool(written: unknown): ReadCall {
  if (typeof written !== 'string' || written.trim() === '') {
    return { problem: 'This must be the name of a tool.' };
  }
  const name = written.trim();
  if (!name.includes('(')) return readBare(name);
  return {
    problem: `Under never, write only the name of the tool, without arguments: ${nameBefore(name)}.`,
  };
}

const callForms = 'a tool, as in get_book, or a tool with arguments, as in get_book(bookId: 3)';

function readText(text: string, readArguments: ReadArguments): ReadCall {
  const start = text.indexOf('(');
  if (text === '' || start === 0)
    return { problem: `The tool is missing; a call is ${callForms}.` };
  if (start === -1) return readBare(text);
  const tool = nameBefore(text);
  if (!text.endsWith(')')) {
    const isOpen = !text.includes(')');
    const problem = isOpen
      ? `The call of ${tool} has no closing parenthesis; write it on one line, as in ${tool}(name: value).`
      : `Nothing may follow the closing parenthesis of the call of ${tool}; write several calls as a list.`;
    return { problem };
  }
  const read = readArguments(text.slice(start + 1, -1));
  if ('problem' in read) return { problem: `The arguments of ${tool}: ${read.problem}` };
  return { call: { tool, arguments: read.arguments } };
}

function readBare(text: string): ReadCall {
  if (!/[\s,]/.test(text)) return { call: { tool: text, arguments: {} } };
  const [first = ''] = text.split(/[\s,]/);
  const advice = text.includes(',')
    ? `write several tools as a list: [${text}]`
    : `write arguments in parentheses: ${first}(name: value)`;
  return { problem: `${JSON.stringify(text)} is not the name of a tool; ${advice}.` };
}

function nameBefore(text: string): string {
  const [name = ''] = text.split('(');
  return name.trim();
}

function readFull(written: Json): ReadCall {
  const { tool, server, arguments: given = {}, ...others } = written;
  const [other] = Object.keys(others);
  if (typeof tool !== 'string' || tool === '')
    return { problem: 'tool must be the name of a tool.' };
  if (other !== undefined) {
    return {
      problem: `A call has the keys server, tool and arguments; ${other} belongs under arguments.`,
    };
  }
  if (server !== undefined && (typeof server !== 'string' || server === '')) {
    return { problem: 'server must be the name of a server.' };
  }
  if (!isRecord(given)) {
    return { problem: 'arguments must be a map, as in arguments: { bookId: 3 }.' };
  }
  return { call: { tool, ...(server !== undefined && { server }), arguments: given } };
}

function readMap(written: Json): ReadCall {
  const [[tool, given] = ['', undefined], ...others] = Object.entries(written);
  if (tool === '') return { problem: `A call is ${callForms}.` };
  if (/\([^)]*$/.test(tool)) {
    return {
      problem: `In a list in brackets, put every call in quotes: ["${nameBefore(tool)}(…)"]; or write each call on a line of its own, after a dash.`,
    };
  }
  if (others.length > 0) {
    const isNested = given === null;
    return {
      problem: isNested
        ? `The arguments of ${tool} belong below its name, indented further; or write ${tool}(${others[0]?.[0]}: …).`
        : `A call has one tool, and this map has ${others.length + 1} keys; write several calls as a list.`,
    };
  }
  if (given !== null && !isRecord(given)) {
    return { problem: `Name the argument of ${tool}, as in ${tool}(name: value).` };
  }
  return { call: { tool, arguments: given ?? {} } };
}
