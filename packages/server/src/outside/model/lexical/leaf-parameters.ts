/**
 * The parameters that have a value of their own (leaves), with their paths through nested objects.
 */
import type { Parameter } from './parameters.ts';
import { stemsOf, wordsOf } from './words.ts';

export interface Leaf {
  readonly path: readonly string[];
  /**
   * The length of the path to the list whose objects have this field; absent for a field outside of
   * lists.
   */
  readonly listDepth?: number;
  readonly parameter: Parameter;
  /** True if this parameter and every object around it are required. */
  readonly isRequired: boolean;
  readonly nameStems: readonly string[];
  /** The stems of the words in the description that are not in the name. */
  readonly hintStems: readonly string[];
  /**
   * Words such as `from` and `to` that can introduce the value. Empty unless the parameter's name
   * is about a start, an end or a replacement.
   */
  readonly directions: readonly string[];
}

export function leavesOf(parameters: readonly Parameter[]): Leaf[] {
  const leaves: Leaf[] = [];
  collect(parameters, { path: [], isRequired: true }, leaves);
  return leaves;
}

export function areOfOneList(one: Leaf, other: Leaf): boolean {
  return one.listDepth !== undefined && listOf(one) === listOf(other);
}

export interface Filled {
  readonly leaf: Leaf;
  readonly value: unknown;
  /** The index of the object in its list. */
  readonly item: number;
}

/** Returns an object that has only the fields for which a value was found. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk down each path, which makes what is missing on the way.
export function objectOf(values: readonly Filled[]): Tree {
  const root: Tree = {};
  for (const { leaf, value, item } of values) {
    let current = root;
    for (const [depth, name] of leaf.path.slice(0, -1).entries()) {
      const isList = depth + 1 === leaf.listDepth;
      if (!Object.hasOwn(current, name)) define(current, name, isList ? [] : {});
      const next = current[name] as Tree | Tree[];
      if (Array.isArray(next)) next[item] ??= {};
      current = Array.isArray(next) ? (next[item] as Tree) : next;
    }
    define(current, leaf.path.at(-1) as string, value);
  }
  return root;
}

function listOf({ path, listDepth }: Leaf): string | undefined {
  return listDepth === undefined ? undefined : JSON.stringify(path.slice(0, listDepth));
}

type Tree = Record<string, unknown>;

/** Sets a field. A plain assignment to `__proto__` would change the prototype and set no field. */
function define(target: Tree, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

const mostLeaves = 100;

interface Around {
  readonly path: readonly string[];
  readonly isRequired: boolean;
  readonly listDepth?: number;
}

function collect(parameters: readonly Parameter[], around: Around, leaves: Leaf[]): void {
  for (const parameter of parameters) {
    if (leaves.length >= mostLeaves) return;
    const path = [...around.path, parameter.name];
    const isRequired = around.isRequired && parameter.isRequired;
    const inside = { ...around, path, isRequired };
    const { item } = parameter;
    if (parameter.type === 'object') collect(parameter.fields, inside, leaves);
    else if (item?.type === 'object' && around.listDepth === undefined) {
      collect(item.fields, { ...inside, listDepth: path.length }, leaves);
    } else leaves.push(leafOf(parameter, inside));
  }
}

function leafOf(parameter: Parameter, around: Around): Leaf {
  const words = wordsOf(parameter.name, 12);
  const nameStems = words.map(({ stem }) => stem);
  const hintStems = stemsOf(parameter.description, 30).filter((stem) => !nameStems.includes(stem));
  const plain = words.map((word) => word.plain);
  const has = (names: readonly string[]) => names.some((name) => plain.includes(name));
  const directions = directionsOf.find(({ names }) => has(names))?.words ?? [];
  return { ...around, parameter, nameStems, hintStems, directions };
}

const directionsOf = [
  {
    names: ['from', 'origin', 'source', 'departure', 'start', 'begin', 'since', 'sender'],
    words: ['from'],
  },
  {
    names: ['to', 'destination', 'target', 'arrival', 'end', 'until', 'recipient'],
    words: ['to', 'into'],
  },
  { names: ['new', 'replacement'], words: ['with', 'by', 'to', 'into'] },
  { names: ['name', 'title'], words: ['called', 'named', 'titled', 'call'] },
  { names: ['exclude', 'excluded', 'ignore', 'skip'], words: ['without', 'except', 'excluding'] },
];
