import type { Operations } from '../../platform/operations/action.ts';
import { createClient } from './operations/create-client.ts';
import { deleteClient } from './operations/delete-client.ts';
import { duplicateClient } from './operations/duplicate-client.ts';
import { getClient } from './operations/get-client.ts';
import { createHost } from './operations/hosts/create-host.ts';
import { deleteHost } from './operations/hosts/delete-host.ts';
import { duplicateHost } from './operations/hosts/duplicate-host.ts';
import { getHost } from './operations/hosts/get-host.ts';
import { listHosts } from './operations/hosts/list-hosts.ts';
import { setHostServers } from './operations/hosts/set-host-servers.ts';
import { updateHost } from './operations/hosts/update-host.ts';
import { listClients } from './operations/list-clients.ts';
import { setClientServers } from './operations/set-client-servers.ts';
import { updateClient } from './operations/update-client.ts';

export const clientsOperations = {
  createClient,
  createHost,
  deleteClient,
  deleteHost,
  duplicateClient,
  duplicateHost,
  getClient,
  getHost,
  listClients,
  listHosts,
  setClientServers,
  setHostServers,
  updateClient,
  updateHost,
} satisfies Operations<unknown>;
