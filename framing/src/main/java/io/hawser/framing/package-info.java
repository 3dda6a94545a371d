/**
 * The wire format of Hawser: frames as views over buffers, an encoder and a decoder that mirror each other.
 *
 * <pre>
 *  writing: FrameEncoder begins a frame -&gt; a flyweight puts the payload -&gt; end() -&gt; ... -&gt; seal() as the very last step
 *  reading: FrameDecoder judges a region -&gt; FrameHeaderFlyweight and a payload flyweight read it
 *           StreamDecoder does so for a stream that arrives in any pieces
 * </pre>
 *
 * <p>PROTOCOL.md is the binding description; its golden vectors are read by the tests. Every wire structure has one
 * owner class, which draws it, holds its offsets and judges it. Bytes that are wrong are a value of
 * {@link io.hawser.framing.FrameFault}, never an exception.
 *
 * <p>May depend on: Agrona's buffers. Knows no socket, no thread, no clock.
 *
 * <p><em>Threading:</em> nothing here is shared between threads; encoders, decoders and flyweights belong to one thread
 * each, enums and descriptors are immutable.
 */
package io.hawser.framing;
