/** A GraphQL gateway of fast libraries: Fastify, Mercurius with its compiler, undici. */
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { Pool } from 'undici';
import { createLoaders } from './loaders.js';
import { resolvers } from './resolvers.js';
import { createRest, fetchToken, platformUrl } from './rest.js';
import { typeDefs } from './schema.js';

const headers = { authorization: `Bearer ${await fetchToken()}` };
const pool = new Pool(platformUrl, { connections: 128 });
const rest = createRest(async (path) => {
  const { body } = await pool.request({ path, method: 'GET', headers });
  return body.json();
});

const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers,
  jit: 1,
  path: '/graphql',
  context: () => ({ rest, loaders: createLoaders(rest) }),
});
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
