/** A GraphQL gateway of common libraries: Apollo Server, DataLoader, axios. */
import { Agent } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import axios from 'axios';
import { createLoaders } from './loaders.js';
import { resolvers } from './resolvers.js';
import { createRest, fetchToken, platformUrl } from './rest.js';
import { typeDefs } from './schema.js';

const client = axios.create({
  baseURL: platformUrl,
  headers: { authorization: `Bearer ${await fetchToken()}` },
  httpAgent: new Agent({ keepAlive: true, maxSockets: 128 }),
});
const rest = createRest(async (path) => (await client.get(path)).data);

const { url } = await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), {
  listen: { port: 0, host: '127.0.0.1' },
  context: async () => ({ rest, loaders: createLoaders(rest) }),
});
process.stdout.write(`${url}\n`);
