/** What people ask of published servers, written by somebody who had not seen the model. */
import type { LabelledPrompt } from './labelled-prompt.ts';

export const strangerPrompts: Readonly<
  Record<'everything' | 'memory' | 'filesystem', readonly LabelledPrompt[]>
> = {
  everything: [
    ['echo "is this thing on?"', 'echo', { message: 'is this thing on?' }],
    [
      'hey can you repeat this back to me word for word: purple monkey dishwasher',
      'echo',
      { message: 'purple monkey dishwasher' },
    ],
    [
      'Could you show me what an annotated error message looks like, please?',
      'get-annotated-message',
      { messageType: 'error' },
    ],
    [
      'annotated message, success type, and put the example image in too',
      'get-annotated-message',
      { messageType: 'success', includeImage: true },
    ],
    ['what env vars is the server running with', 'get-env', {}],
    [
      "Something's off with my config, dump all the environment variables so I can have a look",
      'get-env',
      {},
    ],
    ['get me 7 resource links', 'get-resource-links', { count: 7 }],
    [
      'I need some resource links to test my client with, four of them would be enough. count 4',
      'get-resource-links',
      { count: 4 },
    ],
    [
      'give me a reference to blob resource 12',
      'get-resource-reference',
      { resourceType: 'Blob', resourceId: 12 },
    ],
    [
      'Please return a resource reference for the text resource with id 5.',
      'get-resource-reference',
      { resourceType: 'Text', resourceId: 5 },
    ],
    ['strcutured content for Chicago pls', 'get-structured-content', { location: 'Chicago' }],
    [
      'can i get the structured output for New York? want to check it against the schema',
      'get-structured-content',
      { location: 'New York' },
    ],
    ['whats 348 plus 1279', 'get-sum', { a: 348, b: 1279 }],
    [
      'I paid 12.50 for lunch and then 4.75 for coffee, how much is that together?',
      'get-sum',
      { a: 12.5, b: 4.75 },
    ],
    ['show me that tiny logo', 'get-tiny-image', {}],
    [
      'gzip https://example.com/reports/q3.csv and call it q3.csv.gz',
      'gzip-file-as-resource',
      { name: 'q3.csv.gz', data: 'https://example.com/reports/q3.csv' },
    ],
    [
      'Would you compress the file at https://files.acme.io/logs/app.log for me? I want the full resource back, not a link.',
      'gzip-file-as-resource',
      { data: 'https://files.acme.io/logs/app.log', outputType: 'resource' },
    ],
    ['turn on the fake logging', 'toggle-simulated-logging', {}],
    ['ok stop sending me those simulated subscription updates', 'toggle-subscriber-updates', {}],
    [
      'run a long operation, 20 seconds, 4 steps',
      'trigger-long-running-operation',
      { duration: 20, steps: 4 },
    ],
    [
      'I want to see whether my progress bar works. Can you start something slow that takes 45 seconds?',
      'trigger-long-running-operation',
      { duration: 45 },
    ],
    [
      'do a simulated research run on "coral bleaching"',
      'simulate-research-query',
      { topic: 'coral bleaching' },
    ],
    [
      'Pretend to research the topic "mercury" and make it ambiguous so that it has to ask me what I mean',
      'simulate-research-query',
      { topic: 'mercury', ambiguous: true },
    ],
    ['book me a table for two at 8 tonight', 'none', {}],
    ['how do you say "good morning" in Portuguese?', 'none', {}],
  ],
  memory: [
    [
      'Create an entity called "Priya Nair", type "person", with the observation "plays the cello".',
      'create_entities',
      {
        entities: [{ name: 'Priya Nair', entityType: 'person', observations: ['plays the cello'] }],
      },
    ],
    [
      'add a new company to the graph: name Brightwater, type company, observations "based in Leeds" and "founded in 2011"',
      'create_entities',
      {
        entities: [
          {
            name: 'Brightwater',
            entityType: 'company',
            observations: ['based in Leeds', 'founded in 2011'],
          },
        ],
      },
    ],
    [
      'make two new entities pls, Mochi (type: cat, observation: "hates the vacuum") and Biscuit (type: dog, observation: "afraid of thunder")',
      'create_entities',
      {
        entities: [
          { name: 'Mochi', entityType: 'cat', observations: ['hates the vacuum'] },
          { name: 'Biscuit', entityType: 'dog', observations: ['afraid of thunder'] },
        ],
      },
    ],
    [
      'link Tomas to Ingrid as "manages"',
      'create_relations',
      { relations: [{ from: 'Tomas', to: 'Ingrid', relationType: 'manages' }] },
    ],
    [
      'new relation: Checkout depends_on Billing',
      'create_relations',
      { relations: [{ from: 'Checkout', to: 'Billing', relationType: 'depends_on' }] },
    ],
    [
      'Could you connect Lena to Helsinki with lives_in, and Lena to Nordea with works_at?',
      'create_relations',
      {
        relations: [
          { from: 'Lena', to: 'Helsinki', relationType: 'lives_in' },
          { from: 'Lena', to: 'Nordea', relationType: 'works_at' },
        ],
      },
    ],
    [
      'add to what you already have on Marcus: "moved to Denver in March"',
      'add_observations',
      { observations: [{ entityName: 'Marcus', contents: ['moved to Denver in March'] }] },
    ],
    [
      'Please note two more things about Aunt Rosa: "allergic to shellfish" and "prefers phone calls".',
      'add_observations',
      {
        observations: [
          { entityName: 'Aunt Rosa', contents: ['allergic to shellfish', 'prefers phone calls'] },
        ],
      },
    ],
    [
      'new observation for Project_Heron: "launch slipped to 14 June"',
      'add_observations',
      { observations: [{ entityName: 'Project_Heron', contents: ['launch slipped to 14 June'] }] },
    ],
    ['delete the entity Brightwater', 'delete_entities', { entityNames: ['Brightwater'] }],
    [
      "I don't work with Gareth or Simone anymore, remove both of them from the graph completely",
      'delete_entities',
      { entityNames: ['Gareth', 'Simone'] },
    ],
    [
      'get rid of "Old Laptop" in memory, with everything attached to it',
      'delete_entities',
      { entityNames: ['Old Laptop'] },
    ],
    [
      'the observation "likes olives" on Yuki is wrong, take it off',
      'delete_observations',
      { deletions: [{ entityName: 'Yuki', observations: ['likes olives'] }] },
    ],
    [
      'remove these obsevations from Garage: "door is broken", "needs paint"',
      'delete_observations',
      { deletions: [{ entityName: 'Garage', observations: ['door is broken', 'needs paint'] }] },
    ],
    [
      'Delete the relation from Tomas to Ingrid of type "manages", they switched teams.',
      'delete_relations',
      { relations: [{ from: 'Tomas', to: 'Ingrid', relationType: 'manages' }] },
    ],
    [
      'unlink Lena from Nordea (works_at), she quit',
      'delete_relations',
      { relations: [{ from: 'Lena', to: 'Nordea', relationType: 'works_at' }] },
    ],
    ['show me everything you remember', 'read_graph', {}],
    ['Can I see the whole knowledge graph please', 'read_graph', {}],
    ['search for kubernetes', 'search_nodes', { query: 'kubernetes' }],
    [
      'is there anything in memory that mentions "climbing"?',
      'search_nodes',
      { query: 'climbing' },
    ],
    [
      'cant remember who it was, look through my notes for "marathon"',
      'search_nodes',
      { query: 'marathon' },
    ],
    ['open the nodes Mochi and Biscuit', 'open_nodes', { names: ['Mochi', 'Biscuit'] }],
    ['pull up the node named "Dana Whitfield"', 'open_nodes', { names: ['Dana Whitfield'] }],
    ['whats the weather going to be like in Lisbon tomorrow', 'none', {}],
    ['set an alarm for 6:30', 'none', {}],
  ],
  filesystem: [
    [
      'use the old read_file tool on /srv/data/legacy.ini',
      'read_file',
      { path: '/srv/data/legacy.ini' },
    ],
    [
      'what does /home/kim/notes/todo.txt say',
      'read_text_file',
      { path: '/home/kim/notes/todo.txt' },
    ],
    [
      'last 50 lines of /var/log/nginx/error.log',
      'read_text_file',
      { path: '/var/log/nginx/error.log', tail: 50 },
    ],
    [
      'Could you show me just the first 10 lines of /data/export/customers.csv, please?',
      'read_text_file',
      { path: '/data/export/customers.csv', head: 10 },
    ],
    [
      'show me the picture /home/kim/Pictures/beach.jpg',
      'read_media_file',
      { path: '/home/kim/Pictures/beach.jpg' },
    ],
    [
      'I recorded a voice memo, can you load the audio? its at /home/ana/memos/idea3.mp3',
      'read_media_file',
      { path: '/home/ana/memos/idea3.mp3' },
    ],
    [
      'compare /etc/app/dev.yaml and /etc/app/prod.yaml for me',
      'read_multiple_files',
      { paths: ['/etc/app/dev.yaml', '/etc/app/prod.yaml'] },
    ],
    [
      'read these three: /work/a.md, /work/b.md, /work/c.md',
      'read_multiple_files',
      { paths: ['/work/a.md', '/work/b.md', '/work/c.md'] },
    ],
    [
      'save "buy milk and eggs" to /home/kim/shopping.txt',
      'write_file',
      { path: '/home/kim/shopping.txt', content: 'buy milk and eggs' },
    ],
    [
      'make a new file /projects/site/robots.txt that contains only "User-agent: *"',
      'write_file',
      { path: '/projects/site/robots.txt', content: 'User-agent: *' },
    ],
    [
      'in /projects/api/config.json replace "port": 3000 with "port": 8080',
      'edit_file',
      {
        path: '/projects/api/config.json',
        edits: [{ oldText: '"port": 3000', newText: '"port": 8080' }],
      },
    ],
    [
      "I spelled it wrong in /home/ana/letter.txt, change 'recieve' to 'receive'. Don't save yet, just preview the change",
      'edit_file',
      {
        path: '/home/ana/letter.txt',
        edits: [{ oldText: 'recieve', newText: 'receive' }],
        dryRun: true,
      },
    ],
    [
      'mkdir /home/kim/Documents/taxes/2024',
      'create_directory',
      { path: '/home/kim/Documents/taxes/2024' },
    ],
    [
      "what's in my desktop folder? it's /Users/joe/Desktop",
      'list_directory',
      { path: '/Users/joe/Desktop' },
    ],
    ['ls /opt/tools', 'list_directory', { path: '/opt/tools' }],
    [
      'my disk is full.. how big are the things in /home/kim/Downloads, sorted by size',
      'list_directory_with_sizes',
      { path: '/home/kim/Downloads', sortBy: 'size' },
    ],
    [
      'Please list the files in /srv/backups together with their sizes.',
      'list_directory_with_sizes',
      { path: '/srv/backups' },
    ],
    [
      'give me the full tree of /projects/site but leave out node_modules',
      'directory_tree',
      { path: '/projects/site', excludePatterns: ['node_modules'] },
    ],
    [
      'rename /home/ana/draft.docx to /home/ana/final.docx',
      'move_file',
      { source: '/home/ana/draft.docx', destination: '/home/ana/final.docx' },
    ],
    [
      'can u move /tmp/upload/invoice_0923.pdf to /home/kim/Documents/invoice_0923.pdf thx',
      'move_file',
      {
        source: '/tmp/upload/invoice_0923.pdf',
        destination: '/home/kim/Documents/invoice_0923.pdf',
      },
    ],
    [
      'find everything matching **/*.psd under /home/ana/design',
      'search_files',
      { path: '/home/ana/design', pattern: '**/*.psd' },
    ],
    [
      'when was /home/joe/thesis/chapter2.tex last modified?',
      'get_file_info',
      { path: '/home/joe/thesis/chapter2.tex' },
    ],
    ['which folders are you even allowed to look at', 'list_allowed_directories', {}],
    ['text my brother that I will be late', 'none', {}],
    ['how much is 200 euros in yen right now?', 'none', {}],
  ],
};
