/** The schemas of samples, aggregates and their batches. */
import type { JsonSchema } from '../endpoints/parameter.js';
import { count, decimalText, flag, id, listOf, moment, number, object, reference, text } from './field.js';

function batchOf(schema: string, items: string): JsonSchema {
  return object(`A batch of ${items}.`, {
    hasMore: flag('Whether more items follow after this batch.'),
    samples: listOf(schema, `The ${items}.`),
  });
}

export const sampleSchemas: Readonly<Record<string, JsonSchema>> = {
  ScalarSample: object('A value.', {
    id: id('The sample. Ids ascend in order of arrival.'),
    stream_id: id('The stream.'),
    sample_date: moment('The time of measurement. May be earlier than that of a sample with a smaller id.'),
    value: text(64, 'A decimal number as text, in the unit of the stream. A broken sensor may send words.'),
  }),
  ScalarBatch: batchOf('ScalarSample', 'scalar samples'),
  AggregateValues: object('The aggregated values of a frame, in the unit of the stream.', {
    min: decimalText('The minimum.'),
    max: decimalText('The maximum.'),
    avg: decimalText('The mean.'),
    sum: decimalText('The sum.'),
  }),
  Aggregation: object('The aggregate of the numeric samples of one frame.', {
    stream_id: id('The stream.'),
    start_date: moment('The start of the frame. Frames are aligned to Unix time.'),
    number_of_samples: count('The number of numeric samples in the frame.'),
    agg_values: reference('AggregateValues'),
  }),
  AggregationBatch: batchOf('Aggregation', 'frames'),
  ImageSample: object('A picture.', {
    id: id('The sample. Ids ascend in order of arrival.'),
    stream_id: id('The stream.'),
    sample_date: moment('The time of the picture.'),
    url: { type: 'string', format: 'uri', description: 'The URL of the picture. Needs no token.' },
    width: count('Its width in pixels.'),
    height: count('Its height in pixels.'),
    size: count('Its size in bytes.'),
  }),
  ImageBatch: batchOf('ImageSample', 'image samples'),
  GpsLocation: object(
    'A satellite position.',
    {
      latitude: number('Decimal degrees, north positive.', { minimum: -90, maximum: 90 }),
      longitude: number('Decimal degrees, east positive.', { minimum: -180, maximum: 180 }),
      altitude: number('Metres above sea level.'),
      dilution_of_precision: number('A factor without a unit. Smaller values are more precise.'),
      number_of_satellites: count('The number of visible satellites.'),
      date: moment('The time of the position.'),
    },
    ['altitude', 'dilution_of_precision', 'number_of_satellites', 'date'],
  ),
  RfidSample: object(
    'The tags that a reader detected.',
    {
      id: id('The sample. Ids ascend in order of arrival.'),
      stream_id: id('The stream.'),
      sample_date: moment('The time of the sample.'),
      start_date: moment('The time of the first detection.'),
      end_date: moment('The time of the last detection.'),
      tag_ids: text(65_535, 'All tags in one text, separated by commas, semicolons or blanks.'),
      gps_location_info: reference('GpsLocation'),
    },
    ['start_date', 'end_date', 'gps_location_info'],
  ),
  RfidBatch: batchOf('RfidSample', 'RFID samples'),
};
