/** The parameters that hold a value of their own, with their way through the objects around them. */
import type { Parameter } from './parameters.ts';
import { stemsOf, wordsOf } from './words.ts';

export interface Leaf {
  readonly path: readonly string[];
  readonly parameter: Parameter;
  /** Required, and so is every object around it. */
  readonly isRequired: boolean;
  /** Stems of the name. */
  readonly nameStems: readonly string[];
  /** Stems of the description that are not in the name. */
  readonly hintStems: readonly string[];
  /** `from` or `to`, when the name speaks of a start or an end. */
  readonly direction: 'from' | 'to' | undefined;
}

export function leavesOf(parameters: readonly Parameter[]): Leaf[] {
  const leaves: Leaf[] = [];
  collect(parameters, [], true, leaves);
  return leaves;
}

/** An object of the values that were found; what was not found is left out. */
export function objectOf(values: readonly { leaf: Leaf; value: unknown }[]): Tree {
  const root: Tree = {};
  for (const { leaf, value } of values) {
    let current = root;
    for (const name of leaf.path.slice(0, -1)) {
      if (!Object.hasOwn(current, name)) define(current, name, {});
      current = current[name] as Tree;
    }
    define(current, leaf.path.at(-1) as string, value);
  }
  return root;
}

type Tree = Record<string, unknown>;

/** A plain assignment would treat `__proto__` as something else than a name. */
function define(target: Tree, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

const mostLeaves = 100;

function collect(
  parameters: readonly Parameter[],
  path: readonly string[],
  isRequired: boolean,
  leaves: Leaf[],
): void {
  for (const parameter of parameters) {
    if (leaves.length >= mostLeaves) return;
    const own = [...path, parameter.name];
    const needed = isRequired && parameter.isRequired;
    if (parameter.type === 'object') collect(parameter.fields, own, needed, leaves);
    else leaves.push(leafOf(parameter, own, needed));
  }
}

function leafOf(parameter: Parameter, path: readonly string[], isRequired: boolean): Leaf {
  const words = wordsOf(parameter.name, 12);
  const nameStems = words.map(({ stem }) => stem);
  const hintStems = stemsOf(parameter.description, 30).filter((stem) => !nameStems.includes(stem));
  const plain = words.map((word) => word.plain);
  const has = (names: readonly string[]) => names.some((name) => plain.includes(name));
  const direction = has(startNames) ? 'from' : has(endNames) ? 'to' : undefined;
  return { path, parameter, isRequired, nameStems, hintStems, direction };
}

const startNames = ['from', 'origin', 'source', 'departure', 'start', 'begin', 'since', 'sender'];
const endNames = ['to', 'destination', 'target', 'arrival', 'end', 'until', 'recipient'];
