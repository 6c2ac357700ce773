/** Returns the named project, else the only project, else the project called Default. */
import { type ApiClient, readAllPages } from '@proofmark/client';
import { UsageProblem } from './exit-codes.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export async function chooseProject(
  client: ApiClient,
  wanted: string | undefined,
): Promise<string> {
  // The service resolves ids and the word `default`, so they need no lookup.
  if (wanted !== undefined && /^(prj_\w+|default)$/.test(wanted)) return wanted;
  const projects = await readAllPages((page) => client.listProjects(page));
  return (
    wanted === undefined
      ? usualProject(projects)
      : namedOne(projects, wanted, 'project', 'see `proofmark project list`')
  ).id;
}

/**
 * Throws if the stored project no longer exists, so that a command never silently uses another
 * project.
 */
export async function stillThere(client: ApiClient, kept: string, url: string): Promise<string> {
  const projects = await readAllPages((page) => client.listProjects(page));
  if (projects.some(({ id }) => id === kept)) return kept;
  throw new UsageProblem(
    `The project chosen for ${url} does not exist, or this key cannot see it. Choose another: proofmark project use NAME`,
  );
}

export function usualProject(projects: readonly Named[]): Named {
  const byDefault = projects.filter(({ name }) => name === 'Default');
  const chosen = projects.length === 1 ? projects[0] : byDefault[0];
  if (chosen !== undefined && (projects.length === 1 || byDefault.length === 1)) return chosen;
  if (projects.length === 0)
    throw new Error('This key can see no project; ask an admin of the organization for access.');
  const shown = projects.slice(0, shownNames).map(({ id, name }) => `${name} (${id})`);
  const more = projects.length > shownNames ? ', …' : '';
  throw new UsageProblem(
    `Name the project with --project or PROOFMARK_PROJECT: ${shown.join(', ')}${more}.`,
  );
}

/** Finds an item by id, or else by name. Throws if several items have that name. */
export function namedOne<Item extends Named>(
  items: readonly Item[],
  wanted: string,
  what: string,
  hint = '',
): Item {
  const byId = items.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const [found, another] = items.filter(({ name }) => name === wanted);
  if (found === undefined) {
    const missing = `There is no ${what} ${JSON.stringify(wanted)}, or this key cannot see it`;
    throw new Error(hint === '' ? `${missing}.` : `${missing}; ${hint}.`);
  }
  if (another === undefined) return found;
  throw new UsageProblem(
    `The name ${JSON.stringify(wanted)} is not unique; give the id of one ${what}.`,
  );
}

const shownNames = 10;
