package io.github.eventpoll.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Netty with one event loop, which accepts as well. */
@SuppressWarnings({"try", "deprecation"}) // close may be interrupted; the options are Netty 4.1's
final class NettyEcho extends EchoServer {
  private final EventLoopGroup loop;
  private final InetSocketAddress address;

  private NettyEcho(IoHandlerFactory io, Class<? extends ServerChannel> listener) throws Exception {
    loop = new MultiThreadIoEventLoopGroup(1, io);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(listener)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(ROOM))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new Echo());
                  }
                });
    address =
        (InetSocketAddress)
            bootstrap.bind(InetAddress.getLoopbackAddress(), 0).sync().channel().localAddress();
  }

  static NettyEcho nio() throws Exception {
    return new NettyEcho(NioIoHandler.newFactory(), NioServerSocketChannel.class);
  }

  static NettyEcho epoll() throws Exception {
    return new NettyEcho(EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.writeAndFlush(message, context.voidPromise());
    }
  }

  @Override
  java.nio.channels.SocketChannel connect() throws Exception {
    return java.nio.channels.SocketChannel.open(address);
  }

  @Override
  void serve(java.nio.channels.SocketChannel accepted) {
    throw new UnsupportedOperationException("Netty accepts itself");
  }

  @Override
  public void close() throws Exception {
    loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }
}
