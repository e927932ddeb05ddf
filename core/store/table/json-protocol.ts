import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import type { $ShapeDeserializer, $ShapeSerializer } from '@smithy/types';

/**
 * DynamoDB's protocol without the SDK's walk through each value by its schema, which takes 3 ms of a cold start. In JSON, attributes already
 * look as the SDK has them, except binary ones, which no item has.
 */
export class JsonProtocol extends AwsJson1_0Protocol {
  protected override readonly serializer = createSerializer();
  protected override readonly deserializer = deserializer;
}

/** The SDK writes a request and takes it before it begins the next. */
function createSerializer(): $ShapeSerializer {
  let text = '';
  return {
    write: (_, value) => {
      text = JSON.stringify(value);
    },
    flush: () => Buffer.from(text),
    setSerdeContext: () => undefined,
  };
}

const deserializer: $ShapeDeserializer<string | Uint8Array> = {
  read: (_, body) => JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()),
  setSerdeContext: () => undefined,
};
