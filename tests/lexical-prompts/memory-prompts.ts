/** What people ask of a server that remembers things as a graph, with the call that answers it. */
import type { LabelledPrompt } from './labelled-prompt.ts';

export const memoryPrompts: readonly LabelledPrompt[] = [
  ['Show me everything in the knowledge graph', 'read_graph', {}],
  ['Read the whole graph', 'read_graph', {}],
  ['What is stored in memory at the moment? Read the entire graph.', 'read_graph', {}],
  ['Search the graph for "coffee"', 'search_nodes', { query: 'coffee' }],
  ['Find nodes about climate policy', 'search_nodes', { query: 'climate policy' }],
  [
    'Look for anything that mentions Berlin in the knowledge graph',
    'search_nodes',
    { query: 'Berlin' },
  ],
  [
    'Which nodes match the query "database migration"?',
    'search_nodes',
    { query: 'database migration' },
  ],
  ['Open the node Alice', 'open_nodes', { names: ['Alice'] }],
  ['Open the nodes "Alice" and "Bob"', 'open_nodes', { names: ['Alice', 'Bob'] }],
  [
    'Retrieve the entities named Apollo, Gemini and Mercury',
    'open_nodes',
    { names: ['Apollo', 'Gemini', 'Mercury'] },
  ],
  ['Delete the entity "Old Project"', 'delete_entities', { entityNames: ['Old Project'] }],
  [
    'Remove the entities Alice and Bob from the graph',
    'delete_entities',
    { entityNames: ['Alice', 'Bob'] },
  ],
  ['Forget the entity Acme with all its relations', 'delete_entities', { entityNames: ['Acme'] }],
  [
    'Create an entity name: Alice, entityType: person, observations: likes tea',
    'create_entities',
    { entities: [{ name: 'Alice', entityType: 'person', observations: ['likes tea'] }] },
  ],
  [
    'Create a new entity called "Paris" of type "city" with the observation "capital of France"',
    'create_entities',
    { entities: [{ name: 'Paris', entityType: 'city', observations: ['capital of France'] }] },
  ],
  [
    'Add an entity to the knowledge graph: name: Bob, entityType: engineer, observations: works remotely',
    'create_entities',
    { entities: [{ name: 'Bob', entityType: 'engineer', observations: ['works remotely'] }] },
  ],
  [
    'Create two entities. name: Alice, entityType: person, observations: plays chess; name: Bob, entityType: person, observations: plays go',
    'create_entities',
    {
      entities: [
        { name: 'Alice', entityType: 'person', observations: ['plays chess'] },
        { name: 'Bob', entityType: 'person', observations: ['plays go'] },
      ],
    },
  ],
  [
    'Create a relation from Alice to Acme with relationType works_at',
    'create_relations',
    { relations: [{ from: 'Alice', to: 'Acme', relationType: 'works_at' }] },
  ],
  [
    'Create a relation: from: Bob, to: Paris, relationType: lives_in',
    'create_relations',
    { relations: [{ from: 'Bob', to: 'Paris', relationType: 'lives_in' }] },
  ],
  [
    'Please create the relation "manages" from "Carol" to "Dave"',
    'create_relations',
    { relations: [{ from: 'Carol', to: 'Dave', relationType: 'manages' }] },
  ],
  [
    'Create relations. from: A1, to: B2, relationType: links; from: B2, to: C3, relationType: links',
    'create_relations',
    {
      relations: [
        { from: 'A1', to: 'B2', relationType: 'links' },
        { from: 'B2', to: 'C3', relationType: 'links' },
      ],
    },
  ],
  [
    'Delete the relation "manages" from "Carol" to "Dave"',
    'delete_relations',
    { relations: [{ from: 'Carol', to: 'Dave', relationType: 'manages' }] },
  ],
  [
    'Delete a relation with from: Alice, to: Acme, relationType: works_at',
    'delete_relations',
    { relations: [{ from: 'Alice', to: 'Acme', relationType: 'works_at' }] },
  ],
  [
    'Add the observation "speaks Spanish" to Alice',
    'add_observations',
    { observations: [{ entityName: 'Alice', contents: ['speaks Spanish'] }] },
  ],
  [
    'Add an observation. entityName: Acme, contents: founded in 1999',
    'add_observations',
    { observations: [{ entityName: 'Acme', contents: ['founded in 1999'] }] },
  ],
  [
    'Add new observations to the existing entity "Bob": "moved to Lisbon" and "left Acme"',
    'add_observations',
    { observations: [{ entityName: 'Bob', contents: ['moved to Lisbon', 'left Acme'] }] },
  ],
  [
    'Delete the observation "likes tea" from the entity "Alice"',
    'delete_observations',
    { deletions: [{ entityName: 'Alice', observations: ['likes tea'] }] },
  ],
  [
    'Delete observations: entityName: Bob, observations: works remotely',
    'delete_observations',
    { deletions: [{ entityName: 'Bob', observations: ['works remotely'] }] },
  ],
  ['Play some music', 'none', {}],
  ['What time is it in Tokyo?', 'none', {}],
];
