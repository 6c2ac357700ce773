/**
 * The servers of an in-memory project. They are saved by the same rules as stored servers and exist
 * only in this process.
 */
import type { BodyOf, OutputOf } from '@proofmark/contract';
import { credentialChange, notFound, type SavedServer } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import { makeNewId } from '../../../platform/operations/make-new-id.ts';
import type { PinnedServer } from '../../servers/index.ts';

interface KeptServer {
  readonly server: SavedServer;
  readonly headers: PinnedServer['headers'];
  readonly stdio?: NonNullable<PinnedServer['stdio']>;
}

type Shown = OutputOf<'getProjectServer'>;

/**
 * The rules for saving servers. A replay saves no servers, so it never loads the code of these
 * rules; other callers pass them in.
 */
export interface RulesOfServers
  extends Pick<
    typeof import('../../servers/index.ts'),
    'presentServer' | 'refuseBlockedUrls' | 'serverNameTaken'
  > {
  mayReach(url: string): boolean;
}

export class KeptServers {
  readonly #projectId: string;
  readonly #given: RulesOfServers | undefined;
  readonly #kept: KeptServer[] = [];

  constructor(projectId: string, rules: RulesOfServers | undefined) {
    this.#projectId = projectId;
    this.#given = rules;
  }

  get all(): readonly SavedServer[] {
    return this.#kept.map(({ server }) => server);
  }

  list(): Shown[] {
    return this.all.map(this.#rules.presentServer);
  }

  /**
   * Returns the id of the server with this name, and adds the server if it is new. A new server has
   * no address, so it is never called.
   */
  name(name: string): string {
    return this.#named(name)?.server.id ?? this.#add({ name, url: null }, {}).id;
  }

  create(body: BodyOf<'createProjectServer'>): Shown {
    const { presentServer, refuseBlockedUrls, serverNameTaken } = this.#rules;
    refuseBlockedUrls(this.#rules, body);
    if (this.#named(body.name) !== undefined) refuse(serverNameTaken);
    return presentServer(this.#add(body, body.headers ?? {}));
  }

  update(id: string, { url, headers, enabled }: BodyOf<'updateProjectServer'>): Shown {
    const { presentServer, refuseBlockedUrls } = this.#rules;
    refuseBlockedUrls(this.#rules, { url });
    const place = this.#kept.findIndex(({ server }) => server.id === id);
    const known = this.#kept[place] ?? refuse(notFound);
    const { server } = known;
    const next = url ?? server.url;
    const change = credentialChange({
      storedUrls: [server.url],
      nextUrls: [next],
      given: headers,
      clear: false,
    });
    const sent =
      change.kind === 'replace' ? change.value : change.kind === 'keep' ? known.headers : {};
    const changed = {
      ...server,
      url: next,
      enabled: enabled ?? server.enabled,
      headerNames: Object.keys(sent),
      updatedAt: new Date(),
    };
    this.#kept[place] = { server: changed, headers: sent };
    return presentServer(changed);
  }

  /**
   * Returns the id of the stdio server with this name. Undefined if a server with an address has
   * the name. If the name is known, its first start command is kept.
   */
  saveProgram(name: string, stdio: NonNullable<PinnedServer['stdio']>): string | undefined {
    const known = this.#named(name);
    if (known === undefined) return this.#add({ name, url: null }, {}, stdio).id;
    return known.server.transportType === 'stdio' ? known.server.id : undefined;
  }

  pinned(ids: readonly string[]): PinnedServer[] {
    return this.#kept.filter(({ server }) => ids.includes(server.id));
  }

  get #rules(): RulesOfServers {
    if (this.#given === undefined)
      throw new Error('Internal fault: this command cannot save a server.');
    return this.#given;
  }

  #named(name: string): KeptServer | undefined {
    return this.#kept.find(({ server }) => server.name.toLowerCase() === name.toLowerCase());
  }

  #add(
    {
      name,
      url,
      ...rest
    }: Pick<SavedServer, 'name' | 'url'> &
      Partial<Omit<BodyOf<'createProjectServer'>, 'name' | 'url'>>,
    headers: PinnedServer['headers'],
    stdio?: PinnedServer['stdio'],
  ): SavedServer {
    const now = new Date();
    const server: SavedServer = {
      id: makeNewId('server'),
      projectId: this.#projectId,
      organizationId: '',
      name,
      enabled: rest.enabled ?? true,
      transportType: stdio === undefined ? 'http' : 'stdio',
      url,
      timeoutMs: rest.timeout ?? null,
      maxMessageMiB: rest.maxMessageMiB ?? null,
      clientCapabilities: rest.clientCapabilities ?? null,
      useOAuth: rest.useOAuth ?? false,
      oauthScopes: rest.oauthScopes ?? [],
      oauthResourceUrl: rest.oauthResourceUrl ?? null,
      clientId: rest.clientId ?? null,
      hasClientSecret: rest.clientSecret !== undefined,
      headerNames: Object.keys(headers),
      createdAt: now,
      updatedAt: now,
    };
    this.#kept.push({ server, headers, ...(stdio && { stdio }) });
    return server;
  }
}
