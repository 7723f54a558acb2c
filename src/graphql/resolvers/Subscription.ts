/** Resolves subscriptions. */
import { createBadInputError, GatewayError } from '../../errors.js';
import type { FeedEvent } from '../../live/sampleFeed.js';
import { readId } from '../arguments/nodeId.js';
import type { Context } from '../context.js';
import type { SubscriptionResolvers, SubscriptionSampleReceivedArgs } from '../generated/resolverTypes.js';
import { restrictEvents } from '../restrictEvents.js';

const allKinds = ['SCALAR', 'IMAGE', 'RFID'] as const;

export const Subscription: SubscriptionResolvers = {
  sampleReceived: {
    subscribe: async (_, args, context) => {
      const subscription = {
        kinds: args.kinds ?? allKinds,
        streamIds: await readStreamIds(args, context),
        after: readAfter(args.after, context),
        budget: context.budget,
      };
      return restrictEvents(await context.feed.subscribe(subscription), context);
    },
    resolve: (event: FeedEvent, _: unknown, context: Context) => {
      if (event instanceof GatewayError) throw event;
      context.resetSources();
      return event;
    },
  },
};

/** Undefined without streams and sites in the arguments: all streams. */
async function readStreamIds(
  { streamIds, siteIds }: SubscriptionSampleReceivedArgs,
  { sources }: Context,
): Promise<ReadonlySet<number> | undefined> {
  if (!streamIds && !siteIds) return undefined;
  const named = (streamIds ?? []).map((id, index) => readId('Stream', id, `streamIds[${index}]`));
  const sites = (siteIds ?? []).map((id, index) => readId('Site', id, `siteIds[${index}]`));
  const atSites = await Promise.all(sites.map((id) => sources.streams.ofSite(id)));
  return new Set([...named, ...atSites.flat().map(({ id }) => id)]);
}

function readAfter(after: string | null | undefined, { readQueue }: Context) {
  if (after == null) return undefined;
  const isRfid = after.startsWith('RfidSample:');
  if (!isRfid && !after.startsWith('ScalarSample:')) {
    throw createBadInputError(
      'after',
      `${JSON.stringify(after)} names no sample to go on from; write "ScalarSample:90210".`,
    );
  }
  const id = readId(isRfid ? 'RfidSample' : 'ScalarSample', after, 'after');
  const kind = isRfid ? 'RFID' : 'SCALAR';
  return { kind, id, read: readQueue(kind) } as const;
}
