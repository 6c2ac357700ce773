/**
 * The database role that the service uses. It owns nothing and cannot switch to another role, so
 * row-level security applies to every statement. Its name contains the name of its database: two
 * installations on one PostgreSQL have two roles, and neither can read the other's tables.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { connect } from '../database/connect.ts';
import { urlForRole } from '../database/url-for-role.ts';
import { migrationLock } from './migrate.ts';
import { grantToService, serviceRoleOf } from './service-grants.ts';

export class ServiceRoleRefused extends Error {}

/**
 * Returns the address with the role of the service. Either the role is created here, or the
 * operator has created it and passes its address.
 */
export async function prepareServiceRole(
  ownerUrl: string,
  role: { readonly password: string } | { readonly url: string },
): Promise<string> {
  const url = await connect(
    ownerUrl,
    async (client) => {
      // If several processes start together, this lock lets only one of them set the password, and
      // no two of them grant rights at the same time.
      await client.query('select pg_advisory_lock($1)', [migrationLock]);
      const found = 'url' in role ? role.url : await makeRole(client, ownerUrl, role.password);
      await grantToService(client, await signedInAs(found));
      return found;
    },
    'migrations',
  );
  await refuseMighty(url);
  return url;
}

async function makeRole(client: pg.Client, ownerUrl: string, password: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const name = serviceRoleOf(rows[0]?.name ?? '');
  const url = urlForRole(ownerUrl, { name, password });
  if (!(await maySignIn(url))) await setRole(client, name, password);
  return url;
}

async function maySignIn(url: string): Promise<boolean> {
  try {
    await connect(url, (client) => client.query('select 1'), 'migrations');
    return true;
  } catch (error) {
    if (isRefusedSignIn(error)) return false;
    throw error;
  }
}

async function setRole(client: pg.Client, name: string, password: string): Promise<void> {
  const role = client.escapeIdentifier(name);
  // The password is sent as a SCRAM verifier, the form that PostgreSQL stores, so that no log of
  // statements contains the password.
  const verifier = client.escapeLiteral(scramVerifier(password));
  const { rows } = await client.query('select from pg_roles where rolname = $1', [name]);
  try {
    await client.query(
      rows.length > 0
        ? `alter role ${role} login password ${verifier}`
        : `create role ${role} login noinherit password ${verifier}`,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    const { rows: own } = await client.query<{ name: string }>('select current_user as name');
    const user = client.escapeIdentifier(own[0]?.name ?? '');
    throw new ServiceRoleRefused(
      `The database user ${user} may not create the role ${role}, which the service needs. Let a superuser run: alter role ${user} createrole; or, to create the role by hand: create role ${role} login noinherit password '…'; and set PROOFMARK_SERVICE_DATABASE_URL to the address with that user and password.`,
    );
  }
}

async function signedInAs(url: string): Promise<string> {
  try {
    const { rows } = await connect(
      url,
      (client) => client.query<{ name: string }>('select current_user as name'),
      'migrations',
    );
    return rows[0]?.name ?? '';
  } catch (error) {
    if (!isRefusedSignIn(error)) throw error;
    throw new ServiceRoleRefused(
      `The database does not let the role of the service sign in: ${(error as Error).message}. Allow it in pg_hba.conf, with scram-sha-256, and let a superuser run: grant connect on database … to that role;`,
    );
  }
}

/**
 * Rejects a role with too many rights. The check signs in as the role, and also covers the roles
 * that it could switch to.
 */
async function refuseMighty(url: string): Promise<void> {
  const { rows } = await connect(
    url,
    (client) =>
      client.query<{ own: string; name: string }>(
        `select current_user as own, rolname as name from pg_roles
        where pg_has_role(current_user, oid, 'member') and (
          rolsuper or rolbypassrls or rolcreaterole or rolreplication or rolname = any ($1)
          or exists (
            select from pg_class where relnamespace = to_regnamespace('proofmark') and relowner = pg_roles.oid
          )
        )`,
        [mightyRoles],
      ),
    'migrations',
  );
  const [first] = rows;
  if (first === undefined) return;
  const own = `"${first.own}"`;
  const others = rows.filter(({ name }) => name !== first.own).map(({ name }) => `"${name}"`);
  const statements = [
    `alter role ${own} nosuperuser nobypassrls nocreaterole noreplication;`,
    ...(others.length > 0 ? [`revoke ${others.join(', ')} from ${own};`] : []),
  ];
  throw new ServiceRoleRefused(
    `The role ${own} that the service is to work as could pass by row-level security. Name a role that owns no table of Proofmark, or let a superuser run: ${statements.join(' ')}`,
  );
}

const mightyRoles = [
  'pg_read_all_data',
  'pg_write_all_data',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
  'pg_maintain',
];

/**
 * Returns whether PostgreSQL refused the sign-in: the role is missing, the password is wrong, no
 * line in pg_hba.conf matches, or the right to connect is missing.
 */
function isRefusedSignIn(error: unknown): boolean {
  return ['28P01', '28000', insufficientPrivilege].includes(
    String((error as { code?: unknown } | null)?.code),
  );
}

function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, scramRounds, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest();
  const parts = [storedKey, hmac('Server Key')].map((key) => key.toString('base64'));
  return `SCRAM-SHA-256$${scramRounds}:${salt.toString('base64')}$${parts.join(':')}`;
}

const scramRounds = 4096;
const insufficientPrivilege = '42501';
